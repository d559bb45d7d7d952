// What is looked at and what is selected; views listen and redraw.

import type { SourcePlace } from '../data/code';
import type { OperationInfo, WaitInfo } from '../data/jobs';

export interface InstructionInfo {
  cu: number; row: number; wave: number; line: number; arrived: number; issued: number; issue: number; busy: number;
  category: number; pipe: number; taken: boolean; lanes: number;
  stalls: { cause: number; cycles: number }[];
}

export class State {
  from = 0;
  to = 1;
  line = -1;                               ///< selected in the listing
  instruction: InstructionInfo | null = null; ///< selected in the timeline
  wave = -1;                               ///< whose counters are shown; -1: all
  waveCu = 0;
  operations: OperationInfo[] = [];        ///< that the selected wait waited for, or the selected instruction issued
  waiters: WaitInfo[] = [];                ///< that waited for the selected instruction's operation
  found = new Set<number>();               ///< lines that the search matches, or those of a source line
  searched = '';                           ///< what is searched for, in lower case
  source: SourcePlace | null = null;       ///< selected in the source
  emphasis = -1;                           ///< class that the legend points at: the others are dimmed; -1: none

  range: { from: number; to: number; cu: number } | null = null; ///< that is measured

  private readonly onView: (() => void)[] = [];
  private readonly onSelection: (() => void)[] = [];
  private readonly onEmphasis: (() => void)[] = [];
  private readonly onFound: (() => void)[] = [];

  constructor(readonly end: number) { this.to = Math.max(16, end); }

  listenView(listener: () => void) { this.onView.push(listener); }
  listenSelection(listener: () => void) { this.onSelection.push(listener); }
  listenEmphasis(listener: () => void) { this.onEmphasis.push(listener); }
  emphasise(classOf: number) {
    if (this.emphasis === classOf) return;
    this.emphasis = classOf;
    for (const listener of this.onEmphasis) listener();
  }
  listenFound(listener: () => void) { this.onFound.push(listener); }
  changedFound() { for (const listener of this.onFound) listener(); }
  changedSelection() { for (const listener of this.onSelection) listener(); }

  get span() { return this.to - this.from; }

  /// Shows a range, no shorter than a few cycles and with no more than a little beside the run.
  show(from: number, to: number) {
    const margin = this.end * 0.02 + 10;
    const span = Math.max(16, Math.min(to - from, this.end + 2 * margin));
    if (to - from !== span) {
      const middle = (from + to) / 2;
      from = middle - span / 2;
    }
    from = Math.max(-margin, Math.min(from, this.end + margin - span));
    if (from === this.from && from + span === this.to) return;
    this.from = from;
    this.to = from + span;
    for (const listener of this.onView) listener();
  }

  zoomAt(time: number, factor: number) {
    const span = Math.max(16, this.span * factor);
    const share = (time - this.from) / this.span;
    this.show(time - share * span, time + (1 - share) * span);
  }

  pan(cycles: number) { this.show(this.from + cycles, this.to + cycles); }

  /// Brings a moment into view, at a scale at which instructions can be told apart.
  reveal(from: number, to: number) {
    const wanted = Math.max(1500, (to - from) * 1.6);
    const span = this.span > wanted * 6 ? wanted : Math.max(this.span, (to - from) * 1.1);
    if (from >= this.from && to <= this.to && span === this.span) return;
    const middle = (from + to) / 2;
    this.show(middle - span / 2, middle + span / 2);
  }

  clear() {
    this.line = -1;
    this.instruction = null;
    this.wave = -1;
    this.range = null;
    this.operations = [];
    this.waiters = [];
    if (this.source) {
      this.source = null;
      this.found = new Set();
      this.changedFound();
    }
    this.changedSelection();
  }
}
