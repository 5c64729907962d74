/** Tells whether a pane has changed since the last look. */
import { isDeepStrictEqual } from 'node:util';

import type { Capture } from './capture.ts';
import { areSameIncarnation } from './incarnation.ts';
import type { PaneState } from './facts.ts';

interface Memory {
  readonly facts: PaneState;
  /** Bytes of the last capture, in memory that the next capture overwrites. */
  readonly screen: Buffer | undefined;
  /** Second of the server's clock before the last capture; output in that second may have come after the capture. */
  readonly capturedSecond: number;
}

/** Remembers the last facts and screen of each life of a pane. */
export class ScreenMemory {
  /** By the id of the pane. */
  readonly #panes = new Map<string, Memory>();

  /** Forgets all other panes. */
  keepOnly(panes: readonly PaneState[]): void {
    const present = new Set(panes.map(({ incarnation }) => incarnation.paneId));
    for (const paneId of this.#panes.keys()) {
      if (!present.has(paneId)) this.#panes.delete(paneId);
    }
  }

  /** True unless the pane was captured in a second after its last output and its facts are as they were. */
  mayHaveChanged(facts: PaneState): boolean {
    const memory = this.#of(facts);
    if (memory?.screen === undefined || facts.windowActivity >= memory.capturedSecond) return true;
    // After a clock was set back, output has an earlier second than the capture before it.
    return facts.windowActivity !== memory.facts.windowActivity || !areSame(memory.facts, facts);
  }

  /** Remembers the facts. @returns whether they differ from the previous facts. */
  isNewFacts(facts: PaneState): boolean {
    const memory = this.#of(facts);
    this.#remember({ screen: undefined, capturedSecond: 0, ...memory, facts });
    return memory === undefined || !areSame(memory.facts, facts);
  }

  /** Remembers the capture. @returns whether it or its facts differ from the previous ones. */
  isNewCapture({ facts, bytes }: Pick<Capture, 'facts' | 'bytes'>, second: number): boolean {
    const memory = this.#of(facts);
    const isSameScreen = memory?.screen?.equals(bytes) === true;
    const screen = isSameScreen ? memory?.screen : kept(bytes, memory?.screen);
    this.#remember({ facts, screen, capturedSecond: second });
    return memory === undefined || !isSameScreen || !areSame(memory.facts, facts);
  }

  #of(facts: PaneState): Memory | undefined {
    const memory = this.#panes.get(facts.incarnation.paneId);
    return memory !== undefined && areSameIncarnation(memory.facts.incarnation, facts.incarnation) ? memory : undefined;
  }

  #remember(memory: Memory): void {
    this.#panes.set(memory.facts.incarnation.paneId, memory);
  }
}

/**
 * Copies a screen into the memory of the previous screen where it fits: strings of 200 screens that live for half a second each cost the
 * garbage collector a quarter of all that a look costs (measured, bench/RESULTS.md).
 */
function kept(bytes: Uint8Array, before: Buffer | undefined): Buffer {
  const room = before !== undefined && before.buffer.byteLength >= bytes.length ? before.buffer : roomFor(bytes.length);
  const copy = Buffer.from(room, 0, bytes.length);
  copy.set(bytes);
  return copy;
}

/** Reserves more than needed, for screens change their length. */
function roomFor(size: number): ArrayBuffer {
  return new ArrayBuffer(Math.ceil((size * 5) / 4));
}

/** Tells whether two looks brought the same, apart from the time of the last output. */
function areSame(one: PaneState, other: PaneState): boolean {
  return isDeepStrictEqual({ ...one, windowActivity: 0 }, { ...other, windowActivity: 0 });
}
