/**
 * See → decide → save: one event of one worker, in the caller's transaction. The row is locked, the policy
 * answers, and everything that follows is written beside the new state: nothing is kept in memory.
 */
import { isAccepting, outcomeText, zoneOfMachine } from '@drover/core';
import type { Decision, DecisionFacts, DecisionRecord, Reply, Worker, WorkerEvent } from '@drover/core';
import type {
  Cause,
  Chosen,
  ErrorRow,
  Machine,
  Project,
  StoreTransaction,
  WorkerOptions,
  WorkerRow,
} from '@drover/store';
import { auditedDecision } from '../people/audit/rows.ts';
import { POLICY } from '../people/causes.ts';
import { judged } from '../context.ts';
import type { Context } from '../context.ts';
import { machineState } from '../machines/leases.ts';
import { digest, keepInForce, policyInForce } from '../policies/in-force.ts';
import { saveRecords } from './records.ts';
import { placed } from '../projects/place.ts';
import { checkFacts, lockMembers, trainFacts } from './train.ts';
import { decideWithWays } from './ways.ts';
import { chosenAfter } from './chosen.ts';
import { startsAfter } from '../workers/live.ts';
import { workerSettings } from '../workers/settings.ts';

/**
 * What became of an event: the policy's reply, and the row as it was saved (or, for a repeated request, as it is).
 */
export interface Handled {
  readonly reply: Reply;
  readonly row: WorkerRow;
  /** The request was known: nothing was decided now. */
  readonly isRepeated: boolean;
}

/**
 * With every so many decisions the row before it is kept, so that history can be decided again from there. A row is much
 * larger than an event, and a replay that begins up to 99 decisions early takes a millisecond longer.
 */
const KEPT_EVERY = 100;

/** An event, and the worker that it is about. */
export interface EventFor {
  readonly workerId: string;
  readonly event: WorkerEvent;
  /** Who caused it. A machine speaks only for its own workers. */
  readonly by: Cause;
  /** The client's id of a request: the same one twice is answered, not done again. */
  readonly requestId?: string;
  /** When the machine saw it, by its own clock, epoch milliseconds. */
  readonly seenAt?: number;
  /** Why the worker was chosen for it; kept unless the event is refused. */
  readonly chosen?: Chosen | undefined;
}

/** @returns null when there is no such worker (any more), or not on the machine that says so. Call the returned `hint` after the commit. */
export async function handleEvent(
  ctx: Context,
  tx: StoreTransaction,
  { workerId, event, by, requestId, seenAt, chosen }: EventFor,
): Promise<(Handled & { readonly hint: () => void }) | null> {
  const begunAt = ctx.clock.now();
  const row = await tx.lockWorker(workerId, by.kind === 'machine' ? { machineId: by.id } : undefined);
  if (row === null) return null;
  if (requestId !== undefined) {
    const reply = await tx.findReply(workerId, requestId);
    if (reply !== null) return { reply, row, isRepeated: true, hint: () => {} };
  }
  await lockMembers(ctx, tx, { row, event });
  const project = await projectFor(tx, row, event);
  const machine = await tx.readMachine(row.machineId);
  const now = ctx.clock.now();
  const inForce = policyInForce(ctx, project, row.name);
  const known = {
    now,
    fresh: ctx.ids.uuid(),
    mergeLease: leaseOf(project, row.id),
    ...(await trainFacts(ctx, tx, { row, project, event })),
    ...(await checkFacts(ctx, tx, { row, project, machine })),
    random: ctx.random(),
    profile: row.options.profile,
    zone: zoneOfMachine(machine?.facts?.['zone'] ?? 'UTC'),
    machineConnected: machineState(machine, { ...judged(ctx), now }) === 'connected',
  };
  const { policy } = inForce;
  const asked = { row, project, machine, event };
  const { facts, decision } = await decideWithWays(ctx, tx, { asked, known, policy });
  ctx.onDecision?.(decision);
  const saved = { ...after(row, { decision, event, by, chosen }), updatedAt: now };
  const kept = await keepInForce(ctx, tx, { inForce, now });
  const errors = await save(ctx, tx, {
    row,
    project,
    machine,
    event,
    facts,
    policy: inForce.version,
    decision,
    by,
    requestId: requestId ?? null,
    chosen,
  });
  const told = await tellOthers(ctx, tx, decision.records);
  const hint = (): void => {
    kept();
    for (const error of errors) ctx.onError?.(error);
    for (const hintOther of told) hintOther();
    ctx.tracing?.decided({
      worker: row,
      before: row.state,
      event,
      decision,
      seenAt: seenAt ?? null,
      begunAt,
      committedAt: ctx.clock.now(),
    });
    ctx.counters?.decided({ before: row.state, event, decision, now, seenAt: seenAt ?? null });
    hintOf(ctx, saved, { decision, now });
  };
  return { reply: decision.reply, row: saved, isRepeated: false, hint };
}

/** What a conductor tells those aboard of its train is decided with it, or not at all. @returns their hints. */
async function tellOthers(
  ctx: Context,
  tx: StoreTransaction,
  records: readonly DecisionRecord[],
): Promise<readonly (() => void)[]> {
  const hints: (() => void)[] = [];
  for (const entry of records) {
    if (entry.kind !== 'train') continue;
    for (const { worker, event } of entry.told) {
      const handled = await handleEvent(ctx, tx, { workerId: worker, event, by: POLICY });
      if (handled !== null) hints.push(handled.hint);
    }
  }
  return hints;
}

/** A decision that may take or give back the merge lease locks the project's row, always after the worker's. */
async function projectFor(tx: StoreTransaction, row: WorkerRow, event: WorkerEvent): Promise<Project> {
  const merging = isAccepting(row.state.merge.step) || event.kind === 'accept-requested';
  const project = merging ? await tx.lockProject(row.projectId) : await tx.readProject(row.projectId);
  if (project === null)
    throw new Error(`The worker "${row.name}" belongs to a project that is not there (${row.projectId})`);
  return project;
}

function leaseOf(project: Project, workerId: string): 'free' | 'mine' | 'other' {
  if (project.mergeWorkerId === null) return 'free';
  return project.mergeWorkerId === workerId ? 'mine' : 'other';
}

interface Change {
  readonly row: WorkerRow;
  readonly project: Project;
  readonly machine: Machine | null;
  readonly event: WorkerEvent;
  readonly facts: DecisionFacts;
  /** The version of the policy. */
  readonly policy: string;
  readonly decision: Decision;
  readonly by: Cause;
  readonly requestId: string | null;
  readonly chosen: Chosen | undefined;
}

async function save(
  ctx: Context,
  tx: StoreTransaction,
  { row, project, machine, event, facts, policy, decision, by, requestId, chosen }: Change,
): Promise<readonly ErrorRow[]> {
  const now = ctx.clock.now();
  const { worker, commands, records } = decision;
  const next = after(row, { decision, event, by, chosen });
  const nextMachine = next.machineId === row.machineId ? machine : await tx.readMachine(next.machineId);
  const superseded = commands[0];
  if (superseded !== undefined && wasOverdue(row.state, event)) await tx.dropCommandsBefore(row.id, superseded.seq);
  const outbox = commands.map(({ seq, command, timeoutMs }) => ({
    id: ctx.ids.uuid(),
    machineId: next.machineId,
    workerId: row.id,
    body: { kind: 'command' as const, seq, command, ...(isAccepting(worker.merge.step) && { asked: true }) },
    settings: workerSettings(next, placed(project, nextMachine)),
    timeoutMs,
  }));
  const line = {
    workerId: row.id,
    workerName: row.name,
    at: now,
    requestId,
    actor: by,
    event,
    rules: decision.rules,
    records,
    reply: decision.reply,
    statusBefore: row.state.lifecycle.status,
    statusAfter: worker.lifecycle.status,
    isQuiet: !isWorthALine({ before: row.state, event, decision, requestId }),
    decided: {
      facts,
      policy,
      outcome: digest(outcomeText(decision)),
      before: row.version % KEPT_EVERY === 1 ? row.state : null,
    },
  };
  const audit = auditedDecision({ row, event, by, requestId, now }, decision);
  await tx.saveDecisions([{ row: next, commands: outbox, event: line, ...(audit !== null && { audit }) }]);
  return saveRecords(ctx, tx, { row, after: worker, event, project, machine, records, fresh: facts.fresh, now });
}

/** The row as the decision leaves it. A move makes it another machine's, in the same transaction as everything else. */
function after(
  row: WorkerRow,
  { decision, event, by, chosen }: Pick<Change, 'decision' | 'event' | 'by' | 'chosen'>,
): WorkerRow {
  const changed = decision.records.findLast((entry) => entry.kind === 'machine-changed');
  const machineId = changed?.kind === 'machine-changed' ? changed.to : row.machineId;
  const { starting: _, started: __, ...options } = optionsAfter(row, decision);
  const why = chosenAfter(row, { decision, event, by, chosen, machineId });
  const starts = startsAfter({ ...row, options: optionsAfter(row, decision) }, event, decision);
  return { ...row, machineId, options: { ...options, ...starts, chosen: why }, state: decision.worker };
}

/** A profile that recovery chose is the worker's from now on. */
function optionsAfter({ options }: WorkerRow, { records }: Decision): WorkerOptions {
  const changed = records.findLast((entry) => entry.kind === 'profile-changed');
  return changed?.kind === 'profile-changed' ? { ...options, profile: changed.to } : options;
}

function wasOverdue(before: Worker, event: WorkerEvent): boolean {
  return before.command.inFlight !== null && event.kind === 'deadline-expired' && event.name === 'command';
}

interface Heard {
  readonly before: Worker;
  readonly event: WorkerEvent;
  readonly decision: Decision;
  readonly requestId: string | null;
}

/** Events that are history although nothing follows at once, as how a program ended: a later decision needs them. */
const ALWAYS_TOLD: ReadonlySet<string> = new Set(['adopt', 'account:paused', 'answered', 'turn-unseen']);

/** Screens that change nothing but the last screen are not history, nor is what is done each minute. */
function isWorthALine({ before, event, decision, requestId }: Heard): boolean {
  const { worker, commands, records, reply, rules } = decision;
  return (
    requestId !== null ||
    rules.some((rule) => rule.startsWith('exit:') || ALWAYS_TOLD.has(rule)) ||
    (commands.length > 0 && !isRoutine(event)) ||
    records.length > 0 ||
    reply.kind === 'refused' ||
    before.lifecycle.status !== worker.lifecycle.status
  );
}

/** Each minute the worker is checked, its work is saved, and the patrol asks what work that waits is by now; mostly nothing follows. */
function isRoutine(event: WorkerEvent): boolean {
  if (event.kind === 'deadline-expired') return event.name === 'check' || event.name === 'checkpoint';
  return event.kind === 'default-branch-moved';
}

/** Records that schedule due work for now: what work that waits is by now, what an account waits for, and a check of the work queue. */
const BRINGS_DUE_WORK: ReadonlySet<DecisionRecord['kind']> = new Set([
  'default-branch-moved',
  'account',
  'queued',
  'task',
  'moved',
  'gone',
  'carriage',
  'place-left',
]);

function hintOf(
  { hints }: Context,
  row: WorkerRow,
  { decision, now }: { readonly decision: Decision; readonly now: number },
): void {
  const { commands, worker, records } = decision;
  // A question asks its machine for the last lines of the pane.
  if (commands.length > 0 || records.some(({ kind }) => kind === 'escalated')) hints.commands(row.machineId);
  hints.events(row.id);
  const due = Object.values(worker.deadlines);
  if (due.length > 0) hints.due(Math.min(...due));
  if (records.some(({ kind }) => BRINGS_DUE_WORK.has(kind))) hints.due(now);
}
