// Rectangles drawn straight into pixels: tens of thousands a frame, with or without a GPU.

import { categoryCount, tileBins, type Tile } from '../data/tile';
import { colors, mix, packedColor, stripe, tint } from './theme';

/// Stripes repeat after this many pixels (times the raster's scale) in both directions.
const period = 6;

/// Pixels of each class of a slot's row, solid for categories and striped for causes: a square of `side` by `side` for each.
export interface Palette { solid: Uint32Array; squares: Uint32Array; side: number; background: number; row: number }

/// `emphasis`: the class that keeps its colour while the others are dimmed; -1 for none.
export function makePalette(emphasis = -1): Palette {
  const scale = Math.max(1, Math.round(devicePixelRatio));
  const side = period * scale;
  const shown = (color: string, classOf: number) => (emphasis < 0 || emphasis === classOf ? color : mix(colors.row, color, 0.18));
  const solid = Uint32Array.from(colors.category.map((color, c) => packedColor(shown(color, c))));
  const squares = new Uint32Array((categoryCount + colors.stall.length) * side * side);
  solid.forEach((color, c) => squares.fill(color, c * side * side, (c + 1) * side * side));
  colors.stall.forEach((color, cause) => {
    const base = packedColor(shown(mix(colors.background, color, tint), categoryCount + cause));
    const striped = packedColor(shown(mix(colors.background, color, stripe), categoryCount + cause));
    // How a stripe moves from pixel to pixel: the directions of theme.ts's stallBackground.
    const stepX = [0, 1, 1, 1, 1, 1, 0, 1, 1][cause];
    const stepY = [1, 0, 1, -1, -1, -1, 1, 0, 1][cause];
    for (let y = 0; y < side; ++y)
      for (let x = 0; x < side; ++x)
        squares[((categoryCount + cause) * side + y) * side + x] = (x * stepX + y * stepY + side) % side < scale ? striped : base;
  });
  return { solid, squares, side, background: packedColor(colors.background), row: packedColor(colors.row) };
}

export class Raster {
  width = 0;
  height = 0;
  pixels = new Uint32Array(0);
  private image: ImageData | null = null;
  /// Where stripes begin: they stay with what they are on when it moves.
  shift = 0;
  private readonly tops = new Int32Array(32);

  resize(width: number, height: number) {
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.image = width && height ? new ImageData(width, height) : null;
    this.pixels = this.image ? new Uint32Array(this.image.data.buffer) : new Uint32Array(0);
  }

  clear(color: number) { this.pixels.fill(color); }

  put(context: CanvasRenderingContext2D, x = 0, y = 0) { if (this.image) context.putImageData(this.image, x, y); }

  rect(x0: number, y0: number, x1: number, y1: number, color: number) {
    if (x0 < 0) x0 = 0;
    if (y0 < 0) y0 = 0;
    if (x1 > this.width) x1 = this.width;
    if (y1 > this.height) y1 = this.height;
    if (x0 >= x1) return;
    for (let y = y0; y < y1; ++y) {
      const at = y * this.width;
      if (x1 - x0 > 8) this.pixels.fill(color, at + x0, at + x1);
      else for (let x = x0; x < x1; ++x) this.pixels[at + x] = color;
    }
  }

  /// A rectangle with the stripes of a cause.
  striped(x0: number, y0: number, x1: number, y1: number, cause: number, palette: Palette) {
    if (x0 < 0) x0 = 0;
    if (y0 < 0) y0 = 0;
    if (x1 > this.width) x1 = this.width;
    if (y1 > this.height) y1 = this.height;
    if (x0 >= x1) return;
    const { squares, side } = palette;
    const { pixels, width } = this;
    const first = this.phaseAt(x0, side);
    for (let y = y0; y < y1; ++y) {
      const square = ((categoryCount + cause) * side + (y % side)) * side;
      const at = y * width;
      for (let x = x0, phase = first; x < x1; ++x) {
        pixels[at + x] = squares[square + phase];
        if (++phase === side) phase = 0;
      }
    }
  }

  private phaseAt(x: number, side: number) { return (((x + this.shift) % side) + side) % side; }

  /// Bins of a slot's row from `first` to `last` of a tile, stacked: what was issued below, stalls above.
  stack(tile: Tile, keys: number, order: Uint8Array, first: number, last: number, xOf: (bin: number) => number, y0: number, y1: number, palette: Palette) {
    const { place, data } = tile;
    const { squares, side } = palette;
    const { pixels, width, tops } = this;
    const classes: number[] = [];
    const offsets: number[] = [];
    for (const c of order)
      if (place[keys + c] >= 0) {
        classes.push(c * side * side);
        offsets.push(place[keys + c] * tileBins);
      }
    const count = classes.length;
    if (!count || y1 <= 0 || y0 >= this.height) return;
    const height = y1 - y0;
    const perShare = height / 255;
    const floor = Math.min(y1, this.height);
    const ceiling = Math.max(y0, 0);
    let x0 = xOf(first);
    for (let bin = first; bin < last; ++bin) {
      const x1 = xOf(bin + 1);
      const from = x0 < 0 ? 0 : x0;
      const to = x1 > width ? width : x1;
      x0 = x1;
      if (from >= to) continue;
      let sum = 0;
      let used = 0;
      for (; used < count; ++used) {
        sum += data[offsets[used] + bin];
        const top = y1 - ((sum * perShare + 0.5) | 0);
        tops[used] = top < ceiling ? ceiling : top;
      }
      for (let x = from, phase = this.phaseAt(from, side); x < to; ++x) {
        let y = floor - 1;
        let at = y * width + x;
        let row = (y % side) * side + phase;
        for (let i = 0; i < used; ++i) {
          const square = classes[i];
          for (const top = tops[i]; y >= top; --y) {
            pixels[at] = squares[square + row];
            at -= width;
            row -= side;
            if (row < 0) row += side * side;
          }
        }
        if (++phase === side) phase = 0;
      }
    }
  }

  /// Bins as bars from below.
  bars(tile: Tile, key: number, first: number, last: number, xOf: (bin: number) => number, y0: number, y1: number, color: number, full = 255) {
    if (tile.place[key] < 0) return;
    const offset = tile.place[key] * tileBins;
    const height = y1 - y0;
    let x0 = xOf(first);
    for (let bin = first; bin < last; ++bin) {
      const x1 = xOf(bin + 1);
      const value = tile.data[offset + bin];
      if (value && x1 > x0) this.rect(x0, y1 - Math.max(1, Math.min(height, Math.round((value * height) / full))), x1, y1, color);
      x0 = x1;
    }
  }
}

/// From below: matrix and vector work, memory, the rest; then stalls, the waits at the top.
export const stackOrder = Uint8Array.from([3, 2, 6, 4, 5, 1, 0, 7, 8, 9 + 6, 9 + 7, 9 + 5, 9 + 1, 9 + 8, 9 + 0, 9 + 4, 9 + 3, 9 + 2]);
