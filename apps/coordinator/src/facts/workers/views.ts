/** Shows people workers, machines and history. */
import {
  acceptOf,
  baseRunOf,
  branchOfWorker,
  DEADLINE_MEANING,
  explainWorker,
  inHand,
  isAccepting,
  needsLease,
  offerOf,
  outcomeOn,
  runOf,
  seenOf,
  tell,
  tellEvent,
  tellLacks,
  tellRule,
} from '@drover/core';
import type { DecisionRecord, DeadlineName } from '@drover/core';
import type { EventView, WhyView, WorkerView } from '@drover/api';
import type { EscalationRow, EventRow, Machine, Project, ReceiptRow, WorkerRow } from '@drover/store';
import { tellCause } from '../people/causes.ts';
import { machineState } from '../../context/leases.ts';
import type { Judged } from '../../context/leases.ts';
import { shortIdOf } from '../escalations/view.ts';
import { placed } from '../projects/place.ts';
import { worktreeOf } from './settings.ts';
import { workOf } from './work-view.ts';

/** Characters of a prompt that a list shows. */
const PROMPT_SHOWN = 200;

/** Rows around a worker's row. `undefined` where one is gone: the view then shows its id. */
export interface Around {
  readonly project: Project | undefined;
  readonly machine: Machine | undefined;
  readonly judged: Judged;
  /** Name of the silent machine that stops its accepted work; null: none does. */
  readonly heldUp: string | null;
}

/** Shows a worker. Times stay as stored, in epoch milliseconds. The prompt is cut to 200 characters. */
export function workerView(row: WorkerRow, { project, machine, judged, heldUp }: Around): WorkerView {
  const { state, options } = row;
  return {
    id: row.id,
    name: row.name,
    project: project?.name ?? row.projectId,
    machine: machine?.name ?? row.machineId,
    machineState: machineState(machine, judged),
    profile: options.profile,
    model: options.model,
    status: state.lifecycle.status,
    note: state.lifecycle.note,
    screen: seenOf(state.session)?.state.kind ?? null,
    prompt: state.task.kind === 'none' ? null : state.task.prompt.slice(0, PROMPT_SHOWN),
    branch: branchOfWorker(row.name, project?.config.branchPrefix),
    worktree: project === undefined ? '' : worktreeOf(placed(project, machine), row.name),
    mayHaveSession: mayHaveSession(state),
    run: runOf(state.task)?.runId ?? null,
    commit: waitsForReview(row) ? (state.worktree.git?.head ?? null) : null,
    crashes: state.session.crashes.count,
    accepting: isAccepting(state.merge.step) ? state.merge.step.kind : null,
    heldUp,
    brokenBase: brokenBaseOf(row),
    train: trainOf(row),
    checkedOn: checkedOn(row),
    sentBack: sentBackOf(row),
    stopping: state.session.interrupt != null,
    moving: movingOf(row),
    offered: offerOf(state.merge, state.worktree.git?.head ?? null)?.branch ?? null,
    lacks: lacksOf(row),
    since: acceptOf(state.merge.step)?.since ?? (state.lifecycle.since || row.createdAt),
    createdAt: row.createdAt,
  };
}

/** Tells whether work waits for a person's review: that of a run's task waits for its run. */
function waitsForReview({ state: { lifecycle, task } }: WorkerRow): boolean {
  return lifecycle.status === 'needs_review' && runOf(task) === null;
}

/** Returns the broken base that accepted work, or work that waits for review, waits for. */
function brokenBaseOf({ state: { lifecycle, merge } }: WorkerRow): string | null {
  const { step, candidate } = merge;
  if (isAccepting(step)) return step.kind === 'waiting' ? step.accept.red : null;
  if (lifecycle.status !== 'needs_review' || candidate?.kind !== 'candidate') return null;
  const run = baseRunOf(merge, candidate);
  return run !== null && run.failed !== null && outcomeOn(merge, candidate) === 'failed' ? run.base : null;
}

function mayHaveSession({ session, command }: WorkerRow['state']): boolean {
  const kind = command.inFlight?.command.kind;
  return session.pane.kind !== 'absent' || kind === 'open' || kind === 'respawn' || kind === 'close';
}

function trainOf({ state: { merge } }: WorkerRow): WorkerView['train'] {
  const { step } = merge;
  if (step.kind === 'aboard') {
    const { name, place, of } = step.conductor;
    return { conductor: name, place, of, names: [], at: null, runs: 0 };
  }
  if (!needsLease(step) || step.train === null) return null;
  const { train } = step;
  const { runs } = step.accept;
  const at = step.kind === 'checking' || step.kind === 'publishing' ? step.prefix : null;
  const names = [train.conductor, ...train.members].map(({ name }) => name);
  const counted = runs.reduce((sum, { passed, failed }) => sum + passed + failed, 0);
  return { conductor: train.conductor.name, place: 1, of: names.length, names, at, runs: counted };
}

function checkedOn({ state: { merge } }: WorkerRow): WorkerView['checkedOn'] {
  const { step } = merge;
  if (!needsLease(step) || step.on === null) return null;
  return { machine: step.on.machine, why: step.on.why };
}

function sentBackOf({ state: { merge } }: WorkerRow): WorkerView['sentBack'] {
  const { sentBack } = merge;
  return sentBack === null ? null : { ...sentBack, before: [...sentBack.before] };
}

/** Tells where a worker moves, and how far the move is; null: it does not move. */
export function movingOf({ state: { move } }: Pick<WorkerRow, 'state'>): string | null {
  switch (move.kind) {
    case 'none':
      return null;
    case 'leaving':
      return `moving to ${move.route.to.name}: leaving ${move.route.from.name}`;
    case 'carrying':
      return `moving to ${move.route.to.name}: its work is being transferred`;
    case 'arriving':
      return `moving to ${move.route.to.name}: ${move.step === 'show' ? 'waiting for its agent there' : 'its worktree is being made there'}`;
    case 'returning':
      return `returning to ${move.route.from.name}: ${move.why}`;
    default:
      return move satisfies never;
  }
}

/** Tells in sentences what the worker's worktree lacks. */
export function lacksOf({ state: { worktree } }: WorkerRow): string[] {
  return worktree.supplies === null ? [] : [...tellLacks(worktree.supplies)];
}

/** Puts one line of history in words: the event, then its consequences or the refusal. */
export function eventView(row: EventRow): EventView {
  const heard = tellEvent(row.event);
  const followed = row.reply.kind === 'refused' ? [`refused: ${row.reply.message}`] : toldOnce(row.records);
  return {
    id: row.id,
    worker: row.workerName,
    at: row.at,
    kind: row.event.kind,
    rules: [...row.rules],
    from: row.statusBefore,
    to: row.statusAfter,
    asks: row.records.some(opensQuestion),
    said: [heard, ...followed],
    by: tellCause(row.actor),
    policy: row.policy,
  };
}

function opensQuestion(entry: DecisionRecord): boolean {
  if (entry.kind === 'answer-applied') return entry.application === 'rejected_stale' || entry.application === 'failed';
  return entry.kind === 'escalated';
}

/** Tells each consequence once: a notice, an error and a question mostly repeat why the worker moved. */
function toldOnce(records: EventRow['records']): string[] {
  const whys = new Set(records.flatMap((entry) => (entry.kind === 'moved' ? [entry.why] : [])));
  const asks = new Set(records.flatMap((entry) => (entry.kind === 'escalated' ? [`${entry.code} ${entry.why}`] : [])));
  return records.flatMap((entry) => {
    // The move and the notice of the same decision already give the reason.
    if (entry.kind === 'accept-ended' || (entry.kind === 'notice' && whys.has(entry.text))) return [];
    if (entry.kind === 'error' && asks.has(`${entry.code} ${entry.message}`)) return [];
    if (entry.kind === 'escalated' && whys.has(entry.why)) return [`needs a person (${entry.code})`];
    return [tell(entry)];
  });
}

/** Kinds of records that change the state of a worker; the rest is bookkeeping, such as a checkpoint that was made. */
const CHANGES: ReadonlySet<EventRow['records'][number]['kind']> = new Set([
  'moved',
  'error',
  'recovery',
  'recovered',
  'escalated',
  'escalation-closed',
  'answer-applied',
  'account',
  'account-chosen',
  'profile-changed',
  'task',
]);

/** Finds the newest decision that changed the worker's state, else the newest of all. @param history newest first. */
export function decisive(history: readonly EventRow[]): EventRow | undefined {
  return history.find(({ records }) => records.some(({ kind }) => CHANGES.has(kind))) ?? history[0];
}

/**
 * Explains a state: the decision that led here, the history (newest first), the armed deadlines (soonest first) and the receipts that
 * were read.
 */
export function whyView(
  row: WorkerRow,
  {
    view,
    history,
    receipts,
    escalation,
    pays,
    now,
  }: {
    view: WorkerView;
    history: readonly EventRow[];
    receipts: readonly ReceiptRow[];
    escalation: EscalationRow | null;
    /** Account of its agent, in words that follow "pays"; null: none is named. */
    pays: string | null;
    now: number;
  },
): WhyView {
  const { command, deadlines } = row.state;
  const { inFlight } = command;
  const last = decisive(history);
  const question = escalation === null ? null : { id: shortIdOf(escalation.id), asked: escalation.asked };
  return {
    worker: view,
    work: workOf(row.state),
    last: last === undefined ? null : eventView(last),
    history: history.map(eventView),
    because: [...new Set((last?.rules ?? []).flatMap((rule) => tellRule(rule) ?? []))],
    about: [
      ...ofMachine(view),
      ...ofPlace(row, view),
      ...explainWorker(row.state, { name: row.name, now, escalation: question, profile: row.options.profile }),
      ...(pays === null ? [] : [`Its agent pays ${pays}.`]),
    ],
    inFlight: inFlight === null ? null : { command: inFlight.command.kind, since: inFlight.since },
    next: Object.entries(deadlines)
      .map(([name, at]) => ({ name: name as DeadlineName, at, meaning: DEADLINE_MEANING[name as DeadlineName] }))
      .toSorted((one, other) => one.at - other.at),
    escalation: escalation === null ? null : { shortId: shortIdOf(escalation.id), title: escalation.title },
    receipts: receipts.map(({ purpose, outcome, at, receipt }) => ({
      purpose,
      outcome,
      at,
      method: receipt.method,
      bytes: receipt.bytes,
      enters: receipt.enters,
      evidence: [...receipt.evidence],
      steps: receipt.steps.map(({ step, at: stepAt }) => ({ step, at: stepAt })),
    })),
  };
}

/** Explains the worker's place, and the choice of worker for its task. */
function ofPlace(
  { machineId, options: { chosen, labels = [] }, state }: WorkerRow,
  { machine }: WorkerView,
): readonly string[] {
  const isNoted = chosen?.machine?.id === machineId;
  const about = [`It is on "${machine}": ${isNoted ? chosen.machine.why : 'the reason was not recorded'}`];
  const { move } = state;
  if (move.kind !== 'none' && move.kind !== 'returning' && chosen?.move?.id === move.route.id)
    about.push(`It moves to "${move.route.to.name}" ${chosen.move.why}`);
  if (labels.length > 0) about.push(`It goes only to machines with the label ${labels.join(', ')}`);
  const task = inHand(state.task);
  if (task !== null && chosen?.task?.id === task.id) about.push(`It got its task because ${chosen.task.why}`);
  return about;
}

/** Explains a revoked machine: nothing happens at its workers. */
function ofMachine({ machine, machineState: state }: WorkerView): readonly string[] {
  if (state !== 'revoked') return [];
  return [
    `Its machine "${machine}" is revoked: Drover cannot see or control it. "drover machine invite" lets the machine in again`,
  ];
}
