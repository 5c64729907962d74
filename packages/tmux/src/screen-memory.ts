/** Has a pane changed since it was last looked at? */
import { isDeepStrictEqual } from 'node:util';

import type { Capture } from './capture.ts';
import { formatIncarnation } from './incarnation.ts';
import type { PaneFacts } from './pane-facts.ts';

interface Memory {
  readonly facts: PaneFacts;
  readonly sizeKey: string;
  readonly capture: Capture | undefined;
  /** The server's second before the last capture; output in that second may have come after it. */
  readonly capturedSecond: number;
}

/** Remembers, for each life of a pane, what was last seen. */
export class ScreenMemory {
  readonly #panes = new Map<string, Memory>();

  /** Forgets all other panes. */
  keepOnly(panes: readonly PaneFacts[]): void {
    const present = new Set(panes.map(keyOf));
    for (const key of this.#panes.keys()) {
      if (!present.has(key)) this.#panes.delete(key);
    }
  }

  /** True unless the pane was captured in a second after its last output and keeps its shape. */
  mayHaveChanged(facts: PaneFacts): boolean {
    const memory = this.#panes.get(keyOf(facts));
    if (memory?.capture === undefined) return true;
    return facts.windowActivity >= memory.capturedSecond || sizeOf(facts) !== memory.sizeKey;
  }

  /** Remembers the facts. @returns whether they differ from those before. */
  isNewFacts(facts: PaneFacts): boolean {
    const key = keyOf(facts);
    const memory = this.#panes.get(key);
    this.#panes.set(key, {
      facts,
      sizeKey: memory?.sizeKey ?? '',
      capture: memory?.capture,
      capturedSecond: memory?.capturedSecond ?? 0,
    });
    return memory === undefined || !areSame(memory.facts, facts);
  }

  /** Remembers the capture. @returns whether it or its facts differ from those before. */
  isNewCapture(capture: Capture, second: number): boolean {
    const { facts } = capture;
    const key = keyOf(facts);
    const memory = this.#panes.get(key);
    this.#panes.set(key, { facts, sizeKey: sizeOf(facts), capture, capturedSecond: second });
    const before = memory?.capture;
    // Screens are compared first: most that differ at all differ in them, and that is seen at once.
    if (memory === undefined || before?.ansi !== capture.ansi || before?.text !== capture.text) return true;
    return !areSame(memory.facts, facts);
  }

  /** The last capture of this life of the pane. */
  last(facts: PaneFacts): Capture | undefined {
    return this.#panes.get(keyOf(facts))?.capture;
  }
}

function keyOf(facts: PaneFacts): string {
  return formatIncarnation(facts.incarnation);
}

function sizeOf({ width, height, dead, alternate }: PaneFacts): string {
  return [width, height, dead, alternate].join(' ');
}

/** Whether two looks brought the same, apart from the time of the last output. */
function areSame(one: PaneFacts, other: PaneFacts): boolean {
  return isDeepStrictEqual({ ...one, windowActivity: 0 }, { ...other, windowActivity: 0 });
}
