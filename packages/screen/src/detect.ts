/** Detects what the agent in a pane is doing, how sure that is, and by which rule. */
import type { AgentState } from '@drover/core';
import type { Row } from './ansi.ts';
import { asDrawn } from './colourless.ts';
import { combine } from './combine.ts';
import { hashOf } from './hash.ts';
import type { Detection, Evidence, DetectInput } from './detection.ts';
import { PaneReader } from './progress.ts';
import { processState } from './process-state.ts';
import type { Profile } from './profile/schema.ts';
import { judgeScreen, type ScreenVerdict } from './screen-state.ts';

/** Evidence quotes at most this many characters of the screen. */
const SEEN_CHARS = 200;

/**
 * Judges a pane. Signals in their order of strength: process, the agent's own structured state, hooks, transcript, title, screen. A stronger signal
 * that contradicts the screen gives `unknown`. Never throws.
 */
export function detect(profile: Profile, input: DetectInput): Detection {
  const { reader = new PaneReader() } = input;
  return detection(profile, reader, judged(profile, input, reader.rows.rows(input.capture)));
}

function judged(profile: Profile, input: DetectInput, rows: readonly Row[]): Found {
  const gone = processState(input.facts, profile.commands);
  if (gone !== null)
    return { ...gone, confidence: 'high', rows, evidence: [evidenceOf('process', gone.state, gone.seen)] };
  if (rows.every((row) => row.text === '')) return ofBlank(profile, input, rows);
  const verdict = afterItsStart(input, judgeScreen(asDrawn(profile, rows), rows, input.facts));
  const combined = combine(profile, input, verdict);
  return { ...combined, rows: verdict.view.rows.slice(0, verdict.view.end) };
}

/** A blank screen shows no state, unless the program has not yet drawn or titled anything. */
function ofBlank(profile: Profile, input: DetectInput, rows: readonly Row[]): Found {
  const { facts, capture } = input;
  const starting =
    capture !== '' &&
    isYoung(input) &&
    profile.commands.includes(facts.command) &&
    !profile.screen.ownTitle.test(facts.title);
  const state: AgentState = starting ? { kind: 'starting' } : { kind: 'unknown', why: 'empty' };
  return {
    state,
    rule: starting ? 'nothing-drawn-yet' : 'empty-capture',
    confidence: 'low',
    rows,
    evidence: [evidenceOf('process', state, facts.command)],
  };
}

/** A program that was up does not start: without a screen of its own it ends, or shows something else. */
function afterItsStart(input: DetectInput, verdict: ScreenVerdict): ScreenVerdict {
  if (verdict.rule !== 'no-screen-yet' || isYoung(input)) return verdict;
  return { ...verdict, state: { kind: 'unknown', why: 'nothing-matched' }, rule: 'screen-gone' };
}

function isYoung({ previous }: DetectInput): boolean {
  return previous === undefined || previous.kind === 'starting' || previous.kind === 'exited';
}

interface Found {
  readonly state: AgentState;
  readonly rule: string;
  readonly confidence: Detection['confidence'];
  readonly evidence: readonly Evidence[];
  /** The rows in which progress shows. */
  readonly rows: readonly Row[];
}

function detection(
  profile: Profile,
  reader: PaneReader,
  { state, rule, confidence, evidence, rows }: Found,
): Detection {
  return {
    state,
    confidence,
    rule: `${profile.id}/${rule}`,
    evidence: evidence.map((one) => ({ ...one, seen: one.seen.slice(0, SEEN_CHARS) })),
    fingerprint: hashOf(JSON.stringify(pressable(state))),
    progress: reader.progress.nameOf(profile.screen.noise, rows),
  };
}

/** Returns what a key press would act on. */
function pressable(state: AgentState): unknown {
  switch (state.kind) {
    case 'question':
    case 'permission':
    case 'dialog':
      return [state.kind, state.dialog];
    case 'ready':
    case 'processing':
    case 'error':
      return [state.kind, state.composer];
    default:
      return [state.kind];
  }
}

function evidenceOf(source: Evidence['source'], state: AgentState, seen: string): Evidence {
  return { source, says: state.kind, seen };
}
