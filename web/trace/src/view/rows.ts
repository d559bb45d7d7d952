// A column of as many rows as there are lines, of which only those in view are elements.

export const rowHeight = 21;
/// Rows that are drawn beyond what is in view, so that scrolling shows no gap.
const margin = 5;

export class VisibleRows {
  private readonly drawn = new Map<number, HTMLElement>();

  /// `make` gives the row of a place, which is drawn there.
  constructor(private readonly scroller: HTMLElement, private readonly sheet: HTMLElement, private readonly count: () => number,
    private readonly make: (place: number) => HTMLElement) {
    scroller.addEventListener('scroll', () => this.draw());
  }

  /// Scrolls only as far as the row isn't in view.
  reveal(place: number) {
    const top = place * rowHeight;
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop + rowHeight || top > scrollTop + clientHeight - 3 * rowHeight) this.scroller.scrollTop = top - clientHeight / 2;
    this.draw();
  }

  /// What rows say has changed.
  redraw() {
    for (const row of this.drawn.values()) row.remove();
    this.drawn.clear();
    this.draw();
  }

  /// What is in view has changed.
  draw() {
    const { scrollTop, clientHeight } = this.scroller;
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - margin);
    const last = Math.min(this.count(), Math.ceil((scrollTop + clientHeight) / rowHeight) + margin);
    for (const [place, row] of this.drawn)
      if (place < first || place >= last) {
        row.remove();
        this.drawn.delete(place);
      }
    for (let place = first; place < last; ++place)
      if (!this.drawn.has(place)) {
        const row = this.make(place);
        row.style.top = `${place * rowHeight}px`;
        this.drawn.set(place, row);
        this.sheet.append(row);
      }
  }
}
