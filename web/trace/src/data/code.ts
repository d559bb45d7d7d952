// The code as people read it: addresses, branch targets, places in sources.

import type { Head } from './head';

export interface SourcePlace { file: string; line: number }

export interface SourceFile { file: string; lines: string[] }

/// "file.cpp:12 -> caller.cpp:40", innermost first.
function placesOf(source: string): SourcePlace[] {
  return source.split(' -> ').filter(Boolean).map((frame) => {
    const colon = frame.lastIndexOf(':');
    const line = Number(frame.slice(colon + 1));
    return colon > 0 && Number.isInteger(line) ? { file: frame.slice(0, colon), line } : { file: frame, line: 0 };
  });
}

export const baseName = (file: string) => file.slice(file.lastIndexOf('/') + 1);

export class Code {
  readonly count: number;
  readonly texts: string[];         ///< branches with the address they go to
  readonly addresses: string[];
  readonly places: SourcePlace[][]; ///< of each instruction, innermost first
  readonly files: SourceFile[];     ///< that stand in the page, by the time of their lines
  readonly widest: number;          ///< characters of the longest text

  constructor(head: Head) {
    const { code } = head;
    this.count = code.text.length;
    this.addresses = code.address.map((address) => `0x${address.toString(16)}`);
    this.texts = code.text.map((text, line) => {
      const target = code.target[line];
      if (target < 0 || target >= this.count) return text;
      const space = text.lastIndexOf(' ');
      return `${space < 0 ? text : text.slice(0, space)} ${this.addresses[target]} ${target <= line ? '↑' : '↓'}`;
    });
    this.places = code.source.map(placesOf);
    this.files = head.sources.map(({ file, text }) => ({ file, lines: text.replace(/\r?\n$/, '').split(/\r?\n/) }));
    this.widest = this.texts.reduce((most, text) => Math.max(most, text.length), 0);
  }

  /// The innermost place in a file that stands in the page, else the innermost.
  placeOf(line: number): SourcePlace | null {
    const places = this.places[line] ?? [];
    return places.find(({ file }) => this.files.some((known) => known.file === file)) ?? places[0] ?? null;
  }

  /// "gemm.hip:12"
  sourceOf(line: number): string {
    const place = this.placeOf(line);
    return place ? `${baseName(place.file)}:${place.line}` : '';
  }

  /// Instructions of a source line: its own, and those of calls in it that were inlined.
  linesOf(file: string, line: number): number[] {
    const found: number[] = [];
    this.places.forEach((places, at) => {
      if (places.some((place) => place.line === line && place.file === file)) found.push(at);
    });
    return found;
  }
}
