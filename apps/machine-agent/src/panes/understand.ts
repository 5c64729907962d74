/** What does a captured pane show, in the words of the policy? */
import { constants } from 'node:os';
import type { AgentState, Look } from '@drover/core';
import { type Detection, detect, type PaneFacts as ScreenFacts, type Profile } from '@drover/screen';
import type { Capture, PaneFacts } from '@drover/tmux';

/** A capture and what it means. */
export interface Sight {
  readonly look: Look;
  readonly facts: PaneFacts;
  /** Rows of text without attributes. */
  readonly text: string;
}

/** @param at When it was captured, epoch milliseconds. */
export function understand(
  profile: Profile,
  { facts, text, ansi }: Capture,
  { at, previous }: { at: number; previous?: AgentState | undefined },
): Sight {
  const known = { facts: screenFacts(facts), capture: ansi ?? text };
  const { state, fingerprint, progress, rule } = detect(
    profile,
    previous === undefined ? known : { ...known, previous },
  );
  return { look: { at, state, fingerprint, progress, rule }, facts, text };
}

/** What is believed of a capture, with everything that speaks for it. */
export function explain(profile: Profile, { facts, text, ansi }: Capture): Detection {
  return detect(profile, { facts: screenFacts(facts), capture: ansi ?? text });
}

/** The number of a signal by its name, such as 9 for `SIGKILL`; null when it has none here. */
export function signalNumber(name: string): number | null {
  const found = Object.entries(constants.signals).find(([known]) => known === name)?.[1];
  const digits = /^SIG(\d+)$/u.exec(name)?.[1];
  return found ?? (digits === undefined ? null : Number(digits));
}

function screenFacts(facts: PaneFacts): ScreenFacts {
  return {
    dead: facts.dead,
    deadStatus: facts.deadStatus ?? null,
    deadSignal: facts.deadSignal === undefined ? null : signalNumber(facts.deadSignal),
    command: facts.currentCommand,
    title: facts.title,
    historySize: facts.historySize,
    alternate: facts.alternate,
    cursorRow: facts.cursor.y,
  };
}
