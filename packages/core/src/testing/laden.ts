/** Worker with everything in hand at once, more than any history gives it, so that it shows every reset of a field. */
import type { AgentState } from '../agent-state.ts';
import type { Reading } from '../machine/reading.ts';
import type { Incident } from '../worker/incident.ts';
import { newText } from '../worker/mailbox.ts';
import type { Accept, MergeStep } from '../merge/step.ts';
import type { Route } from '../worker/move.ts';
import type { Doubt } from '../worker/session.ts';
import type { TaskInHand } from '../worker/task.ts';
import type { Supplies } from '../machine/supplies.ts';
import type { Worker } from '../worker/worker.ts';
import { GIT, READY } from './story.ts';

const CURRENT = newText('current', 'message', 'current');
/** The text that waits behind the one on its way. */
export const WAITING = newText('waiting', 'message', 'waiting');
/** The text that its program has in its own queue. */
export const QUEUED = newText('queued', 'message', 'queued');

/** Doubt about a program that may have to end. */
export const DOUBT: Doubt = { checks: 1, mark: 'm', fresh: true, restore: true, profile: null };
/** A merge that has begun. */
export const ACCEPT: Accept = {
  pin: { head: 'bbbb', tree: null },
  nothing: false,
  since: 35,
  runs: [],
  red: null,
  maybe: null,
};
const CHECKING: MergeStep = {
  kind: 'checking',
  accept: ACCEPT,
  moved: 1,
  on: null,
  own: { base: 'aaaa', commit: 'cccc', tree: 'tree of cccc', checks: 'make' },
  train: null,
  prefix: 1,
  tip: { head: 'cccc', tree: 'tree of cccc' },
};
/** Work that is checked before it waits for review. */
export const REVIEWING: MergeStep = {
  kind: 'reviewing',
  head: 'bbbb',
  again: 1,
  doing: { kind: 'checks', at: { head: 'cccc', tree: 'tree of cccc' } },
};
/** A task with attempts spent. */
export const TASK: TaskInHand = {
  kind: 'in-hand',
  id: 't',
  prompt: 'p',
  text: 'the task',
  startedAt: 10,
  headBefore: 'aaaa',
  taken: true,
  attempts: 4,
};
const OPEN: Incident = {
  id: 'i',
  code: 'AGENT_CRASHED',
  openedAt: 30,
  level: 2,
  attempts: 3,
  tried: [{ kind: 'respawn-clean' }],
  lastAttemptAt: 40,
  escalated: true,
  options: [],
  why: 'it crashed',
  action: 'restart',
  before: 'working',
  held: [],
};

/** A file that was copied, and one that was not there. */
export const SUPPLIES: Supplies = {
  copied: { count: 1, bytes: 2 },
  unmatched: ['.env'],
  forbidden: [],
  refused: { count: 0, files: [] },
  pointers: null,
  filters: [],
  untrusted: [],
  submodules: { count: 0, lacking: [] },
};

/** A move to another machine. */
export const ROUTE: Route = { id: 'm', from: { id: 'm1', name: 'one' }, to: { id: 'm2', name: 'two' } };

/** Worker with a task, a merge, a dialog, a text on its way, a failure and a restore in hand. */
export const LADEN: Worker = {
  lifecycle: {
    status: 'working',
    since: 1,
    before: 'needs_review',
    wanted: 'down',
    unfinished: null,
    takenOver: true,
    note: 'busy',
  },
  worktree: {
    place: { kind: 'ready', base: 'aaaa' },
    resetDue: false,
    git: GIT,
    supplies: SUPPLIES,
    setUp: { key: 'k', state: 'due' },
  },
  command: {
    seq: 7,
    inFlight: { seq: 7, command: { kind: 'close' }, since: 30, dueAt: 60, overdue: 1 },
    holdUntil: 50,
    failures: 2,
  },
  session: {
    pane: { kind: 'up', incarnation: 'i1', since: 20, seen: reading(READY) },
    conversation: { id: 'talk', used: true },
    replacement: { kind: 'doubted', doubt: DOUBT, restart: true },
    startFailures: 2,
    crashes: { count: 2, lastAt: 40 },
    interrupt: { standsMs: 500 },
  },
  turn: {
    phase: { kind: 'running', since: 30 },
    background: { what: 'background shell', since: 30, wait: 'asked' },
    judgeDue: true,
    progress: { mark: 'm', at: 30, nudges: 2 },
  },
  mailbox: { current: CURRENT, waiting: [WAITING], queued: [QUEUED], restoreDue: true },
  task: TASK,
  merge: {
    step: CHECKING,
    candidate: { kind: 'contained', head: 'bbbb', base: 'aaaa' },
    checks: { head: 'cccc', tree: 'tree of cccc', checks: 'make', at: 34, outcome: { kind: 'passed' } },
    why: 'committed "work"',
    notes: ['a note'],
    rebaseDue: true,
    resolutionDue: true,
    conflicts: { key: 'a', times: 2, orig: 'aaaa', onto: 'dddd', open: true, told: ['in-progress'] },
    sentBack: { command: 'make', before: ['bea'], at: 35 },
    gaveUp: { head: 'aaaa', base: 'dddd' },
  },
  dialog: {
    inHand: { key: 'd', incarnation: 'i1', fingerprint: 'f', label: 'Yes', by: 'person' },
    answered: [{ key: 'd', times: 2 }],
  },
  account: { kind: 'paused', until: 90 },
  budget: {
    mark: { kind: 'spent', use: { scope: 'task', share: 1.1, words: '11 of 10 tokens' } },
    allowed: { task: { share: 1.5, until: null }, day: { share: null, until: 95 } },
    dayEndsAt: 95,
  },
  checkpoint: {
    last: { id: 'c', commit: 'cccc', at: 20 },
    triedAt: 20,
    due: { id: 'c2', type: 'manual', why: 'by hand', incident: null },
    restore: { id: 'c', commit: 'cccc', conversation: null, prompt: null },
  },
  incident: {
    open: OPEN,
    coolUntil: 60,
    trouble: { error: 'api', text: 'no', since: 30, attempts: 1, own: false, until: 70 },
  },
  move: { kind: 'leaving', route: ROUTE },
  deadlines: { check: 200 },
};

/** Makes a screen of the worker's session. */
export function reading(state: AgentState): Reading {
  return { at: 30, state, fingerprint: 'f', progress: 'm', rule: 'test' };
}
