/** Combines the screen's verdict with stronger signals. */
import type { AgentState } from '@drover/core';
import type { Evidence, HookFact, DetectInput, StructuredState } from './detection.ts';
import type { Profile } from './profile/schema.ts';
import { errorKindOf } from './screen-state.ts';
import type { ScreenVerdict } from './screen-state.ts';
import { resetWords } from './reset-time.ts';

/** A verdict after all signals. */
interface Combined {
  readonly state: AgentState;
  readonly rule: string;
  readonly confidence: 'high' | 'medium' | 'low';
  readonly evidence: readonly Evidence[];
}

/** Hears the structured state, then the latest hook, then the transcript. */
export function combine(profile: Profile, input: DetectInput, verdict: ScreenVerdict): Combined {
  const start: Combined = {
    state: verdict.state,
    rule: verdict.rule,
    confidence: verdict.state.kind === 'unknown' ? 'low' : verdict.source === 'title' ? 'high' : 'medium',
    evidence: [{ source: verdict.source, says: verdict.state.kind, seen: verdict.seen }],
  };
  return withTranscript(profile, input, withHook(profile, input, withStructured(profile, input, start)));
}

function withStructured(profile: Profile, { structured }: DetectInput, found: Combined): Combined {
  if (structured === undefined) return found;
  const evidence = [
    ...found.evidence,
    { source: 'structured', says: structured.status, seen: structured.waitingFor ?? structured.status } as const,
  ];
  if (found.state.kind === 'unknown')
    return { state: structuredState(profile, structured), rule: 'structured-only', confidence: 'low', evidence };
  if (agrees(found.state, structured.status)) {
    const state = structured.status === 'background' ? runningOn(found.state, BACKGROUND_WORK) : found.state;
    return { ...found, state, confidence: 'high', evidence };
  }
  if (structured.status === 'retrying' && found.state.kind === 'processing') {
    return { state: structuredState(profile, structured), rule: 'structured-retrying', confidence: 'high', evidence };
  }
  return { state: { kind: 'unknown', why: 'contradiction' }, rule: 'contradiction', confidence: 'low', evidence };
}

/** Tells whether the agent's own word can be true while the screen shows this. A dialog may stand over any of them. */
function agrees(state: AgentState, status: StructuredState['status']): boolean {
  switch (state.kind) {
    case 'ready':
      return status === 'idle' || status === 'background';
    case 'processing':
      return status === 'busy';
    case 'error':
      return state.recoverable
        ? status === 'busy' || status === 'retrying'
        : status !== 'busy' && status !== 'retrying';
    default:
      return true;
  }
}

/** Words for background work that nothing names. */
const BACKGROUND_WORK = 'background work';

/** Adds to a prompt that something runs on, unless the screen has words for it. */
function runningOn(state: AgentState, what: string): AgentState {
  return state.kind === 'ready' ? { ...state, background: state.background ?? what } : state;
}

function structuredState(profile: Profile, { status, waitingFor }: StructuredState): AgentState {
  const composer = { kind: 'none' } as const;
  const text = waitingFor ?? '';
  switch (status) {
    case 'idle':
      return { kind: 'ready', after: 'completed', composer };
    case 'background':
      return { kind: 'ready', after: 'completed', composer, background: BACKGROUND_WORK };
    case 'busy':
      return { kind: 'processing', queued: false, composer };
    case 'waiting':
      return { kind: 'dialog', dialog: { kind: 'other', title: text, body: '', options: [] } };
    case 'retrying':
      return {
        kind: 'error',
        error: errorKindOf(profile, text),
        recoverable: true,
        text,
        resets: resetWords(text),
        composer,
      };
    default:
      return status satisfies never;
  }
}

/** Hooks add words, speak where the screen does not, and name a failure; they miss every Esc, so they never contradict. */
function withHook(profile: Profile, { hook }: DetectInput, found: Combined): Combined {
  const meaning = hook === undefined ? undefined : profile.signals.hookMeaning[hook.name];
  if (hook === undefined || meaning === undefined) return found;
  const evidence = [...found.evidence, { source: 'hook', says: meaning, seen: hook.name } as const];
  const { state } = found;
  if (state.kind === 'permission' && meaning === 'permission') {
    if (!isOfThisDialog(hook, state)) return { ...found, evidence };
    return {
      ...found,
      state: { ...state, tool: hook.tool ?? state.tool, command: hook.command ?? state.command },
      confidence: 'high',
      evidence,
    };
  }
  if (state.kind === 'ready' && state.composer.kind === 'empty' && meaning === 'failed') {
    const text = hook.error ?? hook.name;
    return { ...found, state: failure(profile, text, state), rule: 'hook-failed', evidence };
  }
  if (meaning === 'turn-ended' && hook.runsOn !== undefined && state.kind === 'ready')
    return { ...found, state: runningOn(state, hook.runsOn.what), evidence };
  if (state.kind === 'unknown' && state.why === 'nothing-matched') {
    const composer = { kind: 'none' } as const;
    if (meaning === 'turn-began')
      return { state: { kind: 'processing', queued: false, composer }, rule: 'hook-only', confidence: 'low', evidence };
    if (meaning === 'turn-ended')
      return { state: { kind: 'ready', after: 'completed', composer }, rule: 'hook-only', confidence: 'low', evidence };
  }
  return { ...found, evidence };
}

/**
 * A dialog is on the screen before its hook has spoken, and then the hook of the one before would speak for it: a rule that
 * allows one command would allow another. So its command must be what the dialog shows, whole or up to the end of a line.
 */
function isOfThisDialog({ command }: HookFact, state: Extract<AgentState, { kind: 'permission' }>): boolean {
  if (command === null) return state.command === '';
  const lines = state.command.split('\n');
  return lines.some((_, last) => bare(lines.slice(0, last + 1).join('')) === bare(command));
}

function bare(text: string): string {
  return text.replaceAll(/\s+/gu, '');
}

function withTranscript(profile: Profile, { transcript }: DetectInput, found: Combined): Combined {
  if (transcript === undefined) return found;
  const evidence = [...found.evidence, { source: 'transcript', says: transcript.role, seen: transcript.text } as const];
  const { state } = found;
  if (
    !transcript.apiError ||
    state.kind !== 'ready' ||
    state.composer.kind !== 'empty' ||
    state.after === 'interrupted'
  )
    return { ...found, evidence };
  return { ...found, state: failure(profile, transcript.text, state), rule: 'transcript-api-error', evidence };
}

function failure(profile: Profile, text: string, { composer }: Extract<AgentState, { kind: 'ready' }>): AgentState {
  return {
    kind: 'error',
    error: errorKindOf(profile, text),
    recoverable: false,
    text,
    resets: resetWords(text),
    composer,
  };
}
