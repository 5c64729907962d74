/**
 * Decides what follows when something happens to a run. Pure, total and deterministic, in the shape of `decide` for workers: every event first
 * changes items; then the next requests and the deadlines follow from the state alone. So a repeated, late or lost event can only delay a step,
 * never double it, and a coordinator that dies anywhere resumes from the row.
 */
import { invariant } from '../invariant.ts';
import type { RunEvent } from './event.ts';
import { allItems, stageInHand, stageOf } from './find.ts';
import type { RunClock, Item, Run, RunTerms, RunStatus } from './run.ts';
import { isOver } from './run.ts';
import { budgetTold, goOn } from './steps/above.ts';
import { withdrawMoot } from './steps/ask.ts';
import { agentAsked, messageLost } from './steps/asked.ts';
import { homeChanged, machineChanged } from './steps/away.ts';
import { watchBudgets, windClocks } from './steps/budgets.ts';
import { armedRunDeadlines } from './steps/deadlines.ts';
import { driveAll } from './steps/drive.ts';
import { taskEnded } from './steps/ended.ts';
import { drain, end, finalStatus, isAtRest, tellAwaited, tellLeft } from './steps/ending.ts';
import * as outcomes from './steps/outcomes.ts';
import { answered, personActed } from './steps/people.ts';
import { release } from './steps/release.ts';
import { isAwaited } from './steps/review.ts';
import { beginStage, settleRest, settleStage } from './steps/stages.ts';
import { accountChanged, deadlineExpired, used, workerAsks } from './steps/surroundings.ts';
import { beginStep, change, record, request, rule, setItem } from './step.ts';
import type { RunContext, RunDecision, RunStep } from './step.ts';

type EventOf<K extends RunEvent['kind']> = Extract<RunEvent, { kind: K }>;

const CHANGES: { readonly [K in RunEvent['kind']]: (step: RunStep, event: EventOf<K>) => RunStep } = {
  requested: (step) => rule(step, 'requested'),
  'task-ended': taskEnded,
  placed: outcomes.placed,
  'not-placed': outcomes.notPlaced,
  pinned: outcomes.pinDone,
  'not-pinned': outcomes.pinFailed,
  checked: outcomes.checked,
  joined: outcomes.joined,
  conflict: outcomes.conflicted,
  accepted: outcomes.accepted,
  'not-accepted': outcomes.notAccepted,
  released: outcomes.released,
  forgotten: (step) => rule(step, 'forgotten'),
  answered,
  'agent-asked': agentAsked,
  'message-lost': messageLost,
  'person-acted': personActed,
  reviewed: (step, { by, commit }) =>
    change(rule(step, 'reviewed'), { reviewed: { ...step.run.reviewed, [by]: commit } }),
  usage: used,
  'budget-told': budgetTold,
  'budget-changed': (step) => goOn(rule(step, 'budget:changed'), 'The budgets have changed.'),
  'account-changed': accountChanged,
  'machine-changed': machineChanged,
  'home-changed': homeChanged,
  'worker-asks': workerAsks,
  deadline: (step, { name }) => deadlineExpired(step, name),
};

const STOPPED_CLOCK: RunClock = { usedMs: 0, runsSince: null, told: 'nothing' };

/** Returns a run that has not begun: its first event is `requested`. */
export function newRun(terms: RunTerms): Run {
  return {
    terms,
    status: 'running',
    why: 'The run begins.',
    ending: null,
    paused: null,
    stages: terms.flow.stages.map(({ name }) => ({
      name,
      items: [],
      settled: null,
      isBegun: false,
      clock: STOPPED_CLOCK,
      rounds: [],
      heldFor: null,
    })),
    clock: STOPPED_CLOCK,
    questions: [],
    limited: {},
    ramp: null,
    releasing: [],
    merged: null,
    isRecovering: terms.retryOf !== null,
    requests: 0,
    seq: 0,
    deadlines: {},
  };
}

/** Answers one event. Never throws for a well-formed run and event. */
export function decideRun(run: Run, event: RunEvent, ctx: RunContext): RunDecision {
  const begun = beginStep({ ...run, seq: run.seq + 1 }, ctx);
  const changed = isOver(run) ? afterTheEnd(begun, event) : changeBy(begun, event);
  if (changed.refused !== null) return finish(run, { ...begun, rules: changed.rules, refused: changed.refused });
  return finish(run, isOver(run) ? changed : advance(changed));
}

function changeBy<K extends RunEvent['kind']>(step: RunStep, event: EventOf<K>): RunStep {
  const changes: (step: RunStep, event: EventOf<K>) => RunStep = CHANGES[event.kind as K];
  return changes(step, event);
}

const AFTER_THE_END: ReadonlySet<RunEvent['kind']> = new Set<RunEvent['kind']>([
  'placed',
  'accepted',
  'released',
  'forgotten',
  'answered',
  'agent-asked',
  'person-acted',
]);

/** Hears events of a run that has ended: a worker that comes late is freed, a merge that was under way is noted, its commits are let go, and people are answered. */
function afterTheEnd(step: RunStep, event: RunEvent): RunStep {
  return AFTER_THE_END.has(event.kind) ? changeBy(step, event) : step;
}

/** Orders everything that can follow, until nothing changes any more. */
function advance(step: RunStep): RunStep {
  let now = windClocks(step);
  for (let pass = 0; ; pass += 1) {
    invariant(pass <= 100, 'A run does not come to rest');
    const next = freeWorkers(withdrawMoot(proceed(watchBudgets(now))));
    if (next.run === now.run) return settle(windClocks(next));
    now = next;
  }
}

/** Goes one stage further. */
function proceed(step: RunStep): RunStep {
  const { run } = step;
  if (run.ending !== null) return drain(step);
  if (run.paused !== null) return step;
  const stage = stageInHand(run);
  if (stage === null) return end(step, endOf(run));
  if (!stage.isBegun) return beginStage(step, stage);
  const driven = driveAll(step, stage);
  return settleStage(driven, stageOf(driven.run, stage.name));
}

function endOf({ stages, terms }: Run): NonNullable<Run['ending']> {
  const lacks = stages.filter(({ name, settled }) => settled?.as !== 'passed' && !terms.skip.includes(name));
  const why = lacks.map(({ name, settled }) => `${name} is ${settled?.as ?? 'open'}`).join(', ');
  return lacks.length === 0
    ? { as: 'finished', why: 'All stages passed.', code: null }
    : { as: 'partial', why: `${why}.`, code: lacks[0]?.settled?.code ?? null };
}

/** Frees workers that the run needs no more; what they made is pinned (W7). */
function freeWorkers(step: RunStep): RunStep {
  return allItems(step.run).reduce((so, item) => {
    if (item.worker === null || isNeeded(so, item)) return so;
    const { workerId } = item.worker;
    return release(setItem(so, item.name, { worker: null }), item.name, workerId);
  }, step);
}

function isNeeded(step: RunStep, { name, progress, words, unkept }: Item): boolean {
  if (progress.kind === 'settled') return step.run.ending === null && progress.as === 'passed' && isAwaited(step, name);
  // A worker that waits has words to answer, or work that could not be kept yet.
  return progress.kind !== 'waiting' || words !== '' || unkept != null;
}

/** Ends the run once it is at rest, and says its status. */
function settle(step: RunStep): RunStep {
  const { run } = step;
  const isEnding = run.ending !== null && isAtRest(run);
  const rested = isEnding ? settleRest(step, run.ending?.why ?? '') : step;
  const status = isEnding ? finalStatus(run) : statusOf(run);
  const why = whyOf(rested.run);
  const moved = change(rested, { status, why });
  if (status === run.status) return moved;
  const told = record(moved, { kind: 'run-moved', from: run.status, to: status, why });
  const { now, policy } = step.ctx;
  // Another try of a run whose work is merged would be made for nothing.
  return isOver({ status })
    ? request(told, { kind: 'forget', at: run.merged === null ? now + policy.run.keepMs : now })
    : told;
}

function statusOf(run: Run): RunStatus {
  if (run.ending !== null) return 'stopping';
  if (run.paused !== null) return 'paused';
  const open = stageInHand(run)?.items.filter(({ progress }) => progress.kind !== 'settled') ?? [];
  const isWaiting = open.every(({ progress }) => {
    if (progress.kind === 'waiting') return isForPerson(run, progress.on);
    return progress.kind === 'placing' ? isStopped(run) : asksOf(progress) !== null;
  });
  const isAsked = run.questions.length > 0 || open.some(({ progress }) => asksOf(progress) !== null);
  return isAsked && isWaiting ? 'waiting' : 'running';
}

function asksOf(progress: Item['progress']): string | null {
  return progress.kind === 'running' ? (progress.asks ?? null) : null;
}

function isForPerson(run: Run, on: string): boolean {
  return on === 'person' || isStopped(run) || run.questions.some(({ about }) => about === 'hold');
}

/** Tells whether a person is asked about a spent budget: work is placed only to see whether there is room. */
function isStopped({ questions }: Run): boolean {
  return questions.some(({ about }) => about === 'budget');
}

function whyOf(run: Run): string {
  if (run.ending !== null) return [run.ending.why, ...tellLeft(run), ...tellAwaited(run)].join(' ');
  if (run.paused !== null) return `${run.paused.by} paused it.`;
  const [question] = run.questions;
  if (question !== undefined) return question.text.split('\n', 1)[0] ?? '';
  const stage = stageInHand(run);
  if (stage === null) return 'All stages have ended.';
  const asking = stage.items.find(({ progress }) => asksOf(progress) !== null);
  if (asking !== undefined) return `Waiting: ${asking.worker?.name} ${asksOf(asking.progress)}`;
  const waits = stage.items.map(({ progress }) => progress).find((one) => one.kind === 'waiting' && one.on !== 'turn');
  return waits?.kind === 'waiting' ? waits.why : `Stage ${stage.name} is under way.`;
}

function finish(before: Run, step: RunStep): RunDecision {
  // A refusal starts nothing, and moves no deadline.
  const deadlines = step.refused === null ? armedRunDeadlines(step.run, step.ctx) : before.deadlines;
  const { requests, records, rules, refused } = step;
  return { run: { ...step.run, deadlines }, requests, records, deadlines, rules: named(rules, before), refused };
}

function named(rules: readonly string[], { status }: Run): readonly string[] {
  return rules.length > 0 ? rules : [`nothing-to-do:${status}`];
}
