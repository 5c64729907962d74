/** Interprets a captured pane in the words of the policy. */
import { constants } from 'node:os';
import type { Reading } from '@drover/core';
import { type Detection, detect, type DetectInput, type PaneState as ScreenState, type Profile } from '@drover/screen';
import type { Capture, PaneState } from '@drover/tmux';

/** Capture and its meaning. */
export interface PaneReading {
  readonly reading: Reading;
  readonly facts: PaneState;
  /** Rows of text without attributes. */
  readonly text: string;
  /** Part that comes from the screen alone, whatever else was heard. */
  readonly shown: string;
}

/** Facts beside a screen: the previous reading, and the program's own records. */
export type Known = Omit<DetectInput, 'facts' | 'capture'>;

/** Interprets a capture. `at`: time of the capture, epoch milliseconds. */
export type Understand = (
  profile: Profile,
  capture: Capture,
  moment: { readonly at: number; readonly known?: Known | undefined },
) => PaneReading;

/** Interprets by the rules of the profile. */
export const understand: Understand = (profile, capture, { at, known = {} }) => {
  const { state, fingerprint, progress, rule, evidence } = explain(profile, capture, known);
  const shown = evidence.find(({ source }) => !BESIDE_THE_SCREEN.has(source))?.says ?? state.kind;
  return { reading: { at, state, fingerprint, progress, rule }, facts: capture.facts, text: capture.text, shown };
};

const BESIDE_THE_SCREEN: ReadonlySet<Detection['evidence'][number]['source']> = new Set([
  'structured',
  'hook',
  'transcript',
]);

/** Reads a capture, with its evidence. */
export function explain(profile: Profile, { facts, text, ansi }: Capture, known: Known = {}): Detection {
  return detect(profile, { ...known, facts: screenFacts(facts), capture: ansi ?? text });
}

/** Number of a signal by its name, such as 9 for `SIGKILL`; null when it has none here. */
export function signalNumber(name: string): number | null {
  const found = Object.entries(constants.signals).find(([known]) => known === name)?.[1];
  const digits = /^SIG(\d+)$/u.exec(name)?.[1];
  return found ?? (digits === undefined ? null : Number(digits));
}

function screenFacts(facts: PaneState): ScreenState {
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
