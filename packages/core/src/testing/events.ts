/** Draws the next event of a worker: likely reports of a machine, requests of a person, passing time, and events out of place. */
import type { Command, CommandResult } from '../machine/commands.ts';
import type { FailureAction } from '../tool-failures/action.ts';
import { BUDGET_SCOPES } from '../run/allowance.ts';
import type { WorkerEvent } from '../worker/event.ts';
import { DEADLINE_NAMES } from '../worker/deadline.ts';
import type { DeadlineName } from '../worker/deadline.ts';
import { isEscalated } from '../worker/incident.ts';
import { inHand } from '../worker/task.ts';
import type { Worker } from '../worker/worker.ts';
import type { Dice } from './dice.ts';
import { badly, someResult, wellDone } from './results.ts';
import type { Scene } from './results.ts';
import { ROUTE } from './laden.ts';
import { BUSY, READY, someGit, someReading } from './screens.ts';
import { isAccepting } from '../merge/step.ts';

/** Draws a likely next event. */
export function likelyEvent(scene: Scene): WorkerEvent {
  const { worker, now, dice, mood } = scene;
  const { inFlight } = worker.command;
  const { pane } = worker.session;
  const onwards = dice.chance(mood.merges) ? towardsMerge(scene) : null;
  if (onwards !== null) return onwards;
  if (dice.chance(mood.person)) return personsEvent(scene);
  if (inFlight !== null && dice.chance(0.6))
    return { kind: 'command-finished', seq: inFlight.seq, result: someResult(inFlight.command, scene) };
  if (pane.kind === 'up' || pane.kind === 'starting') {
    if (dice.chance(mood.exit)) return exited(scene, pane.incarnation);
    if (dice.chance(0.5))
      return { kind: 'screen-seen', incarnation: pane.incarnation, reading: someReading(worker, now, scene) };
  }
  if (worker.move.kind === 'carrying' && dice.chance(0.7)) return carriage(worker.move.route.id, dice);
  if (dice.chance(0.1)) return neighbours(scene);
  if (inFlight === null && inHand(worker.task) === null && dice.chance(0.7)) return personsEvent(scene);
  return { kind: 'deadline-expired', name: nextDeadline(worker) ?? 'check' };
}

/** Returns the next act of a diligent agent or an eager person; null: there is nothing for them. */
function towardsMerge(scene: Scene): WorkerEvent | null {
  const { worker, now, dice } = scene;
  const { session, lifecycle, turn, deadlines, command, merge } = worker;
  const { inFlight } = command;
  if (inFlight !== null) {
    const isMerge = isAccepting(merge.step) && dice.chance(0.3);
    const result = isMerge ? badly(inFlight.command, scene) : wellDone(inFlight.command, scene);
    return { kind: 'command-finished', seq: inFlight.seq, result };
  }
  if (lifecycle.status === 'idle')
    return { kind: 'start-requested', taskId: `t-${now}`, prompt: 'p', text: `t-${now}` };
  if (lifecycle.status === 'needs_review') return isAccepting(merge.step) ? null : accepted(worker, dice);
  if (deadlines.settle !== undefined) return { kind: 'deadline-expired', name: 'settle' };
  const { pane } = session;
  const isToBeSeen = pane.kind === 'starting' || (pane.kind === 'up' && turn.phase.kind !== 'none');
  if (!isToBeSeen) return null;
  const state = turn.phase.kind === 'unseen' ? BUSY : READY;
  const reading = { at: now, state, fingerprint: state.kind, progress: String(now), rule: 'test' };
  return { kind: 'screen-seen', incarnation: pane.incarnation, reading };
}

/** Returns the deadline that is due first. */
function nextDeadline({ deadlines }: Worker): DeadlineName | null {
  let first: DeadlineName | null = null;
  for (const name of DEADLINE_NAMES) {
    const due = deadlines[name];
    if (due !== undefined && (first === null || due < (deadlines[first] ?? 0))) first = name;
  }
  return first;
}

function exited({ now, dice }: Scene, incarnation: string): WorkerEvent {
  const status = dice.pick([0, 7, 7, 130, null, null]);
  const signal = status === null ? dice.pick([9, 9, 2, null]) : null;
  const limit = dice.chance(0.1) ? { resets: null } : null;
  const lastLines = dice.chance(0.05) ? ['FATAL ERROR'] : [];
  return { kind: 'pane-exited', exit: { incarnation, status, signal, lastLines, limit, at: now } };
}

/** Draws a request that a person may make in this state. */
export function personsEvent({ worker, now, dice }: Scene): WorkerEvent {
  const id = `request-${now}`;
  const { status, wanted } = worker.lifecycle;
  if (wanted === 'down' && dice.chance(0.5)) return { kind: 'up-requested' };
  if (isEscalated(worker.incident) && dice.chance(0.6)) return answered(worker, dice.next());
  if (status === 'idle' && dice.chance(0.9)) return { kind: 'start-requested', taskId: id, prompt: 'p', text: id };
  if (status === 'needs_review' && dice.chance(0.7))
    return dice.chance(0.6) ? accepted(worker, dice) : { kind: 'reject-requested', id, text: `no ${id}` };
  return dice.pick<WorkerEvent>([
    { kind: 'message-requested', id, text: `words ${id}` },
    { kind: 'message-requested', id, text: `words ${id}` },
    { kind: 'cancel-requested', id, task: inHand(worker.task)?.id ?? 'none', by: 'somebody' },
    { kind: 'up-requested' },
    { kind: 'down-requested' },
    { kind: 'checkpoint-requested', id, why: 'by hand' },
    { kind: 'rebase-requested' },
    { kind: 'move-requested', route: { ...ROUTE, id } },
    { kind: 'move-cancel-requested' },
    {
      kind: 'restore-requested',
      checkpoint: { id, commit: dice.pick(['c1', null]), conversation: dice.pick(['k', null]), prompt: null },
      resetAgent: dice.chance(0.5),
    },
  ]);
}

/** Draws the outcome of carrying the luggage of a move. */
function carriage(move: string, dice: Dice): WorkerEvent {
  if (dice.chance(0.2)) return { kind: 'move-not-carried', move, why: 'the disk is full' };
  return { kind: 'move-carried', move, fresh: dice.pick([null, 'its program cannot take it along']) };
}

/** Accepts the work that a person has just looked at. */
function accepted({ worktree }: Worker, dice: Dice): WorkerEvent {
  const head = worktree.git?.head ?? 'none';
  const tree = dice.chance(0.5) ? null : `tree of ${head}`;
  return { kind: 'accept-requested', pin: { head, tree }, nothing: dice.chance(0.3) };
}

function answered({ incident: { open } }: Worker, draw: number): WorkerEvent {
  const options = open?.options ?? [];
  const option = options[Math.floor(draw * options.length)]?.id ?? 'retry';
  return { kind: 'escalation-answered', incident: open?.id ?? '', option, text: 'words', by: 'somebody' };
}

/** Draws a report that the machine, the project or the account makes by itself. */
function neighbours({ worker, now, dice }: Scene): WorkerEvent {
  const { pane } = worker.session;
  const dead = pane.kind === 'dead';
  const here = pane.kind === 'absent' ? null : { incarnation: pane.incarnation, dead };
  return dice.pick<WorkerEvent>([
    { kind: 'panes-listed', pane: here },
    { kind: 'panes-listed', pane: here },
    { kind: 'panes-listed', pane: null },
    { kind: 'default-branch-moved' },
    ofTrain(dice),
    { kind: 'machine-lost', silentMs: 600_000 },
    { kind: 'account-changed', state: 'paused', until: now + 60_000 },
    { kind: 'account-changed', state: 'probe', until: null },
    { kind: 'account-changed', state: 'open', until: null },
    budgetTold(dice, now),
    toolFailed(worker, now, dice.pick(ACTIONS)),
  ]);
}

/** Draws a use of budgets: plenty left, near the end, spent. */
function budgetTold(dice: Dice, now: number): WorkerEvent {
  const share = dice.pick([0.1, 0.5, 0.85, 1.2]);
  const uses = [{ scope: dice.pick(BUDGET_SCOPES), share, words: '12 of 10 tokens' }];
  return { kind: 'budget-told', uses, dayEndsAt: now + 3_600_000 };
}

/** Draws a message of a conductor, in or out of turn. */
function ofTrain(dice: Dice): WorkerEvent {
  const run = { files: 'tree of aaaa', checks: 'make', passed: 0, failed: 1, command: 'make', output: 'no' };
  return dice.pick<WorkerEvent>([
    { kind: 'train-boarded', conductor: { id: 'z', name: 'z', place: 2, of: 3 } },
    { kind: 'train-boarded', conductor: { id: 'z', name: 'z', place: 2, of: 3 } },
    {
      kind: 'train-left',
      why: 'it stopped',
      runs: [run],
      red: dice.pick([null, 'aaaa']),
      maybe: dice.pick([null, 'cccc']),
    },
    { kind: 'train-landed', commit: 'dddd' },
    { kind: 'train-culprit', command: 'make', output: 'no', before: ['z'] },
  ]);
}

const ACTIONS: readonly [FailureAction, ...FailureAction[]] = [
  { kind: 'log' },
  { kind: 'retry', attempt: 1, attemptsMax: 3, delayMs: 2_000, notBefore: 0, timeoutFactor: 1 },
  { kind: 'escalate', title: 'May not write', needed: 'a grant', remediation: [] },
  { kind: 'block', alert: 'the service is down' },
];

function toolFailed({ session: { pane } }: Worker, at: number, action: FailureAction): WorkerEvent {
  return {
    kind: 'tool-failed',
    incarnation: pane.kind === 'absent' ? null : pane.incarnation,
    report: {
      at,
      conversation: 'c',
      tool: 'Bash',
      name: 'curl',
      class: 'network',
      rule: 'test',
      phase: null,
      evidence: 'connection refused',
      signature: 's',
      operation: 'o',
      action,
      pauseAccount: action.kind === 'block' ? { service: 'api.anthropic.com', until: at + 60_000 } : null,
    },
  };
}

/** Draws any event, mostly out of place: also answers that belong to another command. */
export function wildEvent(scene: Scene): WorkerEvent {
  const { worker, now, dice } = scene;
  const seq = worker.command.inFlight?.seq ?? 0;
  if (dice.chance(0.3)) return { kind: 'command-finished', seq, result: misplacedResult(scene) };
  return dice.pick<WorkerEvent>([
    { kind: 'deadline-expired', name: dice.pick(DEADLINE_NAMES) },
    { kind: 'command-finished', seq: seq - 1, result: misplacedResult(scene) },
    { kind: 'screen-seen', incarnation: 'former incarnation', reading: someReading(worker, now, scene) },
    { kind: 'panes-listed', pane: { incarnation: `found-${now}`, dead: dice.chance(0.5) } },
    { kind: 'nuke-requested', force: dice.chance(0.3), task: dice.pick([undefined, 'drop', 'requeue']) },
    { kind: 'down-requested' },
    { kind: 'start-requested', taskId: `t-${now}`, prompt: 'p', text: `t-${now}` },
    { kind: 'reject-requested', id: `r-${now}`, text: 'no' },
    accepted(worker, dice),
    { kind: 'accept-requested', pin: null },
    { kind: 'move-cancel-requested' },
    carriage('a move of before', dice),
    { kind: 'escalation-answered', incident: 'none', option: 'retry', text: null, by: 'somebody' },
    { kind: 'escalation-answered', incident: 'none', option: 'tool-try-again', text: null, by: 'somebody' },
    { kind: 'repair-requested', repair: { kind: 'take-head', git: { ...someGit(dice), ahead: 1 } } },
    { kind: 'repair-requested', repair: { kind: 'ask', why: 'no prompt is on record' } },
    { kind: 'repair-requested', repair: { kind: 'times' } },
    { kind: 'repair-requested', repair: { kind: 'commands', atLeast: worker.command.seq + 1 } },
    personsEvent(scene),
  ]);
}

const KINDS: readonly [Command, ...Command[]] = [
  { kind: 'prepare', reset: true, saveAs: 's' },
  { kind: 'open', launch: { kind: 'fresh', conversation: 'c' } },
  { kind: 'set-up' },
  { kind: 'close' },
  {
    kind: 'deliver',
    incarnation: 'x',
    text: '',
    method: 'profile',
    settleMs: 0,
    mayQueue: true,
    clearFirst: false,
    enterOnly: false,
    textId: 't',
  },
  { kind: 'observe', base: null, delivery: 1 },
  { kind: 'answer', incarnation: 'x', fingerprint: 'x', choice: { kind: 'label', label: 'Yes' } },
  { kind: 'checkpoint', id: 'c', type: 'manual', why: '' },
  { kind: 'restore', id: 'c', commit: 'c', saveAs: 's' },
  { kind: 'rebase', at: null, began: null },
  { kind: 'resolution', onto: 'a', orig: 'b' },
  { kind: 'extend', onto: 'a', items: [] },
  { kind: 'validate', at: { head: 'h', tree: 't' } },
  { kind: 'candidate', at: { head: 'h', tree: 't' }, began: null },
  { kind: 'publish', base: 'a', commit: 'b' },
  { kind: 'prove', commit: 'b' },
  { kind: 'recycle', commit: 'b', head: 'h' },
  { kind: 'remove', force: false },
  { kind: 'freeze', move: 'm', id: 'm', mustSave: true },
  { kind: 'interrupt', incarnation: 'x', standsMs: 0 },
  { kind: 'let-in', move: 'm' },
];

/** Draws the answer to another command, as only a machine with a fault would give it. */
function misplacedResult(scene: Scene): CommandResult {
  return someResult(scene.dice.pick(KINDS), scene);
}
