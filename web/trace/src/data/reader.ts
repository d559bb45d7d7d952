// Numbers of variable length, and the way from a script element's text to bytes.

export class Reader {
  constructor(readonly bytes: Uint8Array, public at = 0, readonly end = bytes.length) {}

  get(): number {
    let byte = this.bytes[this.at++];
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let scale = 128;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte >= 0x80);
    return value;
  }

  signed(): number {
    const value = this.get();
    if (value < 0x80000000) return (value >>> 1) ^ -(value & 1);
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
}

/// What appendColumns() of PageColumns.h wrote.
export function columnsOf(reader: Reader): Reader[] {
  const sizes: number[] = [];
  const count = reader.get();
  for (let i = 0; i < count; ++i) sizes.push(reader.get());
  let at = reader.at;
  return sizes.map((size) => {
    const column = new Reader(reader.bytes, at, at + size);
    at += size;
    return column;
  });
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native) return native(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export async function unpack(text: string): Promise<Uint8Array> {
  const stream = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
