// What stands on the timeline's pixels: text in boxes, outlines, and the arcs from operations to the wait that waited for them.

import type { OperationInfo } from '../data/jobs';
import type { Store } from '../data/store';
import type { Layout } from './layout';
import type { Box, Painted } from './paint';
import type { State } from './state';
import { colors, mode } from './theme';

/// Text of a box: all of the instruction if it fits, or its name, or the beginning of that.
function fitted(text: string, room: number, charWidth: number): string {
  const chars = Math.floor(room / charWidth);
  if (text.length <= chars) return text;
  // What a wait waits for says more than its name.
  const counters = text.replace(/^s_waitcnt /, '');
  if (counters.length <= chars) return counters;
  const name = text.split(' ', 1)[0];
  if (name.length <= chars) return name;
  return chars >= 4 ? name.slice(0, chars - 1) + '…' : '';
}

export class Overlay {
  constructor(private readonly store: Store, private readonly layout: Layout, private readonly state: State) {}

  /// In CSS pixels; boxes are in those of the device.
  draw(context: CanvasRenderingContext2D, painted: Painted, width: number, height: number, ratio: number, scrolled: number) {
    context.save();
    context.scale(ratio, ratio);
    this.labels(context, painted.labels, ratio);
    this.found(context, painted.found, ratio);
    this.outlines(context, painted.marked, ratio, colors.text, 1);
    this.range(context, width, height);
    this.selection(context, width, scrolled);
    this.arcs(context, width, height, scrolled);
    context.restore();
  }

  private labels(context: CanvasRenderingContext2D, boxes: Box[], ratio: number) {
    context.font = '10.5px ui-monospace, "DejaVu Sans Mono", monospace';
    context.textBaseline = 'middle';
    const charWidth = context.measureText('m').width;
    context.lineWidth = 3;
    context.strokeStyle = colors.background;
    for (const box of boxes) {
      if (box.height < 12 * ratio) continue;
      const x0 = Math.max(0, box.x0 / ratio);
      const text = fitted(this.store.code.texts[box.line] ?? '', box.x1 / ratio - x0 - 6, charWidth);
      if (!text) continue;
      const y = (box.y + box.height / 2) / ratio + 0.5;
      if (box.onStall) {
        context.globalAlpha = 0.75;
        context.strokeText(text, x0 + 5, y);
        context.globalAlpha = 1;
      }
      context.fillStyle = box.onStall ? colors.text : mode === 'dark' ? '#0b0d11' : '#ffffff';
      context.fillText(text, x0 + (box.onStall ? 5 : 3), y);
    }
  }

  private outlines(context: CanvasRenderingContext2D, boxes: Box[], ratio: number, color: string, width: number) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.globalAlpha = 0.7;
    for (const box of boxes)
      context.strokeRect(box.x0 / ratio - 0.5, box.y / ratio + 0.5, Math.max(2, (box.x1 - box.x0) / ratio), box.height / ratio - 1);
    context.globalAlpha = 1;
  }

  /// Underlined, so that what was going on stays to be seen.
  private found(context: CanvasRenderingContext2D, boxes: Box[], ratio: number) {
    context.fillStyle = colors.found;
    for (const box of boxes) context.fillRect(box.x0 / ratio, (box.y + box.height) / ratio - 4, Math.max(1, (box.x1 - box.x0) / ratio), 4);
  }

  private range(context: CanvasRenderingContext2D, width: number, height: number) {
    const { range } = this.state;
    if (!range) return;
    const x = (time: number) => ((time - this.state.from) / this.state.span) * width;
    context.fillStyle = colors.accent;
    context.globalAlpha = 0.14;
    context.fillRect(x(range.from), 0, x(range.to) - x(range.from), height);
    context.globalAlpha = 1;
    context.fillRect(x(range.from) - 0.75, 0, 1.5, height);
    context.fillRect(x(range.to) - 0.75, 0, 1.5, height);
  }

  private selection(context: CanvasRenderingContext2D, width: number, scrolled: number) {
    const { instruction } = this.state;
    if (!instruction) return;
    const row = this.layout.ofSlot(instruction.cu, instruction.row);
    if (!row) return;
    const x = (time: number) => ((time - this.state.from) / this.state.span) * width;
    context.strokeStyle = colors.accent;
    context.lineWidth = 2;
    const x0 = x(instruction.arrived);
    context.strokeRect(x0 - 1, row.y - scrolled - 1, Math.max(3, x(instruction.issued + instruction.issue) - x0 + 2), row.height + 2);
  }

  /// From where an operation was issued to the end of the wait; a line under the wave for the time in flight, and an outline in its pipe.
  private arcs(context: CanvasRenderingContext2D, width: number, height: number, scrolled: number) {
    const { instruction, operations, waiters } = this.state;
    if (!instruction || !operations.length) return;
    const row = this.layout.ofSlot(instruction.cu, instruction.row);
    if (!row) return;
    const x = (time: number) => ((time - this.state.from) / this.state.span) * width;
    const y = row.y - scrolled;
    const isWait = operations.every((operation) => operation.line !== instruction.line || operation.issued !== instruction.issued);
    for (const operation of operations) {
      const end = isWait ? instruction.issued : waiters.length ? waiters[0].done : operation.returned;
      this.arc(context, operation, x, x(end), y, row.height, instruction.cu, height);
      const pipe = this.layout.ofPipe(instruction.cu, operation.pipe, Math.floor(operation.row / this.store.head.slots));
      if (!pipe) continue;
      context.strokeStyle = colors.text;
      context.lineWidth = 1.5;
      const x0 = x(operation.begin);
      context.strokeRect(x0, pipe.y - scrolled - 0.5, Math.max(2, x(operation.end) - x0), pipe.height + 1);
    }
  }

  private arc(context: CanvasRenderingContext2D, operation: OperationInfo, x: (time: number) => number, xEnd: number, y: number, rowHeight: number,
              cu: number, height: number) {
    const color = colors.level[operation.level] ?? colors.related;
    const x0 = x(operation.issued);
    const rise = Math.min(64, 12 + Math.abs(xEnd - x0) * 0.12);
    const above = y - rise > 4;
    const base = above ? y : y + rowHeight;
    const control = above ? base - rise * 1.5 : Math.min(height + 40, base + rise * 1.5);
    for (const [stroke, lineWidth] of [[colors.background, 4], [color, 2]] as const) {
      context.strokeStyle = stroke;
      context.lineWidth = lineWidth;
      context.beginPath();
      context.moveTo(x0, base);
      context.bezierCurveTo(x0 + (xEnd - x0) * 0.15, control, x0 + (xEnd - x0) * 0.85, control, xEnd, base);
      context.stroke();
    }
    context.fillStyle = color;
    context.beginPath();
    context.arc(x0, base, 3.5, 0, 2 * Math.PI);
    context.fill();
    const pipe = this.layout.ofPipe(cu, operation.pipe, Math.floor(operation.row / this.store.head.slots));
    if (!pipe) return;
    // When it returned, on the arc's ground.
    const xReturned = x(operation.returned);
    context.beginPath();
    context.moveTo(xReturned, base);
    context.lineTo(xReturned - 4, base + (above ? -7 : 7));
    context.lineTo(xReturned + 4, base + (above ? -7 : 7));
    context.fill();
  }
}
