/** Draws a machine's view of a worker: screens of every kind, and facts of git. For property tests. */
import type { AgentState, Dialog } from '../agent-state.ts';
import type { GitFacts, Reading } from '../machine/reading.ts';
import type { Worker } from '../worker/worker.ts';
import type { Dice } from './dice.ts';
import { favoured } from './mood.ts';
import type { Mood } from './mood.ts';

const EMPTY = { kind: 'empty' } as const;

function dialog(kind: Dialog['kind'], title: string): Dialog {
  return { kind, title, body: '', options: ['Yes', 'No'].map((label) => ({ label, highlighted: label === 'Yes' })) };
}

function failing(error: Extract<AgentState, { kind: 'error' }>['error'], recoverable: boolean): AgentState {
  return { kind: 'error', error, recoverable, text: `${error}!`, resets: null, composer: EMPTY };
}

const CLEARED: AgentState = { kind: 'unknown', why: 'empty' };
const PERMISSION: AgentState = {
  kind: 'permission',
  tool: 'Bash',
  command: 'ls',
  dialog: dialog('permission', 'May I?'),
};

const STATES: readonly [AgentState, ...AgentState[]] = [
  { kind: 'starting' },
  CLEARED,
  { kind: 'ready', after: 'asked', composer: EMPTY },
  { kind: 'ready', after: 'interrupted', composer: EMPTY },
  { kind: 'ready', after: 'completed', composer: EMPTY, background: 'background shell' },
  { kind: 'processing', queued: true, composer: { kind: 'none' } },
  { kind: 'question', form: 'yes-no', dialog: dialog('question', 'Which way?') },
  PERMISSION,
  { kind: 'dialog', dialog: dialog('trust', 'Do you trust this folder?') },
  { kind: 'dialog', dialog: dialog('other', 'Update?') },
  failing('api', true),
  failing('api', false),
  failing('network', false),
  failing('overloaded', false),
  failing('auth', false),
  failing('context-exhausted', false),
  failing('history-refused', false),
  failing('rate-limit', false),
  failing('usage-limit', false),
  { kind: 'exited', cause: 'crash', status: 1, signal: null },
];
export const READY: AgentState = { kind: 'ready', after: 'completed', composer: EMPTY };
export const BUSY: AgentState = { kind: 'processing', queued: false, composer: EMPTY };

/** Draws a screen at this time of the machine: mostly the agent at work or ready, sometimes without progress. */
export function someReading(worker: Worker, at: number, { dice, mood }: { dice: Dice; mood: Mood }): Reading {
  const usual = dice.chance(0.5) ? READY : BUSY;
  const isOdd = dice.chance(mood.odd);
  // An answer waits for the command before it: R4 is about the screen of that later time.
  const isAsking = worker.command.inFlight !== null && dice.chance(0.1);
  const isCleared = worker.dialog.inHand?.label != null && dice.chance(0.4);
  const drawn = isOdd ? favoured(STATES, mood, dice) : usual;
  const state = isCleared ? CLEARED : isAsking ? PERMISSION : drawn;
  const shown = 'dialog' in state ? state.dialog.title : '';
  const progress = dice.chance(isOdd ? 0.95 : 0.3) ? (worker.turn.progress.mark ?? '0') : String(at);
  return { at, state, fingerprint: `${state.kind}:${shown}:${dice.chance(0.8) ? 0 : 1}`, progress, rule: 'test' };
}

/** Draws facts of git: mostly a new commit, sometimes none, or a rebase that was left. */
export function someGit(dice: Dice): GitFacts {
  const isLeft = dice.chance(0.1);
  return {
    head: dice.pick(['aaaa', 'bbbb', 'cccc', 'dddd']),
    ahead: dice.chance(0.3) ? 0 : 1,
    dirty: 0,
    subject: 'work',
    rebasing: isLeft,
    unmerged: isLeft ? 1 : 0,
  };
}
