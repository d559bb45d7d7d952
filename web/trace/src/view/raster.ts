// Rectangles drawn straight into pixels: tens of thousands a frame, with or without a GPU.

import { categoryCount, tileBins, type Tile } from '../data/tile';
import { colors, mix, packedColor } from './theme';

/// Colours of the classes of a slot's row, as pixels: solid for categories; base and stripe for causes.
export interface Palette { solid: Uint32Array; base: Uint32Array; stripe: Uint32Array; background: number; row: number }

export function makePalette(): Palette {
  return {
    solid: Uint32Array.from(colors.category.map(packedColor)),
    base: Uint32Array.from(colors.stall.map((c) => packedColor(mix(colors.background, c, 0.32)))),
    stripe: Uint32Array.from(colors.stall.map((c) => packedColor(mix(colors.background, c, 0.85)))),
    background: packedColor(colors.background),
    row: packedColor(colors.row),
  };
}

export class Raster {
  width = 0;
  height = 0;
  pixels = new Uint32Array(0);
  private image: ImageData | null = null;
  /// Where stripes begin: they stay with what they are on when it moves.
  shift = 0;
  scale = 1;

  resize(width: number, height: number) {
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.image = width && height ? new ImageData(width, height) : null;
    this.pixels = this.image ? new Uint32Array(this.image.data.buffer) : new Uint32Array(0);
  }

  clear(color: number) { this.pixels.fill(color); }

  put(context: CanvasRenderingContext2D) { if (this.image) context.putImageData(this.image, 0, 0); }

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
    const base = palette.base[cause];
    const stripe = palette.stripe[cause];
    const period = 5 * this.scale;
    const thick = this.scale;
    // How a stripe moves from pixel to pixel: the directions of theme.ts's stallBackground.
    const stepX = [1, 1, 1, 1, 0, 1, 0, 1, 1][cause];
    const stepY = [1, 0, 1, -1, 1, -1, 1, 0, 1][cause];
    const far = period * 100000;
    for (let y = y0; y < y1; ++y) {
      const at = y * this.width;
      let phase = (far + (x0 + this.shift) * stepX + y * stepY) % period;
      for (let x = x0; x < x1; ++x) {
        this.pixels[at + x] = phase < thick ? stripe : base;
        phase += stepX;
        if (phase >= period) phase -= period;
      }
    }
  }

  /// Bins of a slot's row from `first` to `last` of a tile, stacked: what was issued below, stalls above.
  stack(tile: Tile, keys: number, order: Uint8Array, first: number, last: number, xOf: (bin: number) => number, y0: number, y1: number, palette: Palette) {
    const { place, data } = tile;
    const classes: number[] = [];
    const offsets: number[] = [];
    for (const c of order)
      if (place[keys + c] >= 0) {
        classes.push(c);
        offsets.push(place[keys + c] * tileBins);
      }
    if (!classes.length) return;
    const height = y1 - y0;
    let x0 = xOf(first);
    for (let bin = first; bin < last; ++bin) {
      const x1 = xOf(bin + 1);
      if (x1 > x0 && x1 > 0 && x0 < this.width) {
        let sum = 0;
        let bottom = y1;
        for (let i = 0; i < classes.length; ++i) {
          const value = data[offsets[i] + bin];
          if (!value) continue;
          sum += value;
          const top = y1 - Math.min(height, Math.round((sum * height) / 255));
          if (top < bottom) {
            const c = classes[i];
            if (c < categoryCount) this.rect(x0, top, x1, bottom, palette.solid[c]);
            else this.striped(x0, top, x1, bottom, c - categoryCount, palette);
            bottom = top;
          }
        }
      }
      x0 = x1;
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
