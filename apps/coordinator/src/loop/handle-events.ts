/**
 * Handles a list of events in the caller's transaction: see → decide → save. Rows of workers are written here and nowhere else. Each row
 * is locked, the policy answers, and all consequences are written beside the new states: nothing is kept in memory.
 */
import { decide, isAccepting, outcomeText, zoneOfMachine } from '@drover/core';
import type { Decision, DecisionFacts, DecisionRecord, FactName, Reply, WorkerEvent } from '@drover/core';
import type { Cause, Chosen, Machine, NewEvent, Project, StoreTransaction, WorkerRow } from '@drover/store';
import { judged } from '../context/context.ts';
import type { Context } from '../context/context.ts';
import { machineState } from '../context/leases.ts';
import { auditedDecision } from '../facts/people/audit-rows.ts';
import { POLICY } from '../facts/people/causes.ts';
import { digest, policyInForce } from '../facts/policies/in-force.ts';
import type { PolicyInForce } from '../facts/policies/in-force.ts';
import { placed } from '../facts/projects/place.ts';
import { workerSettings } from '../facts/workers/settings.ts';
import { Changes } from './changes.ts';
import { chosenAfter } from './chosen.ts';
import { hintOf } from './hint.ts';
import { isOverdue, isWorthALine } from './history.ts';
import { lockMembers, mergeFacts } from './merge-facts.ts';
import { collectRecords } from './records.ts';
import { rowAfter } from './row-after.ts';
import { trustAfter } from './subjects/trust.ts';
import { Shared } from './shared.ts';
import { waysFor, withoutClosed } from './ways.ts';

/**
 * Result of an event: the policy's reply, and the row as it was saved (or, for a repeated request, as it is).
 */
export interface Handled {
  readonly reply: Reply;
  readonly row: WorkerRow;
  /** Tells whether the request was known: then nothing was decided now. */
  readonly isRepeated: boolean;
}

/** Result of an event, with the wake-up to call after the commit. */
export type Outcome = Handled & { readonly hint: () => void };

/**
 * Decisions between two kept rows, from which history can be decided again. A row is much larger than an event, and a replay that begins
 * up to 99 decisions early takes a millisecond longer.
 */
const KEPT_EVERY = 100;

export interface EventFor {
  readonly workerId: string;
  readonly event: WorkerEvent;
  /** Cause of the event. A machine speaks only for its own workers. */
  readonly by: Cause;
  /** Client's id of a request: a repeated request is answered, not done again. */
  readonly requestId?: string;
  /** Time at which the machine saw the event, by its own clock, epoch milliseconds. */
  readonly seenAt?: number;
  /** Reason for the choice of the worker; kept unless the event is refused. */
  readonly chosen?: Chosen | undefined;
  /** The worker's row, if the caller has locked it in this transaction and not written it: it is not read again. */
  readonly locked?: WorkerRow;
}

/** @returns null when the worker does not exist (any more), or is not on the machine that reports. Call the returned `hint` after the commit. */
export async function handleEvent(ctx: Context, tx: StoreTransaction, event: EventFor): Promise<Outcome | null> {
  const [outcome = null] = await handleEvents(ctx, tx, [event]);
  return outcome;
}

/**
 * Decides on one event after the other, and saves everything at the end; saves earlier where a decision must see the changes of previous
 * ones: a second event of a worker, and an event that asks for facts of others.
 *
 * @returns the result of `handleEvent` for each.
 */
export async function handleEvents(
  ctx: Context,
  tx: StoreTransaction,
  events: readonly EventFor[],
): Promise<readonly (Outcome | null)[]> {
  const loop = new Loop(ctx, tx);
  await loop.lock(events);
  const outcomes: (Outcome | null)[] = [];
  for (const event of events) outcomes.push(await loop.handle(event));
  await loop.save();
  return outcomes;
}

/** Facts behind a decision. */
interface Seen {
  readonly row: WorkerRow;
  readonly event: WorkerEvent;
  readonly project: Project;
  readonly machine: Machine | null;
  readonly inForce: PolicyInForce;
  readonly facts: DecisionFacts;
}

class Loop {
  readonly #ctx: Context;
  readonly #tx: StoreTransaction;
  readonly #shared: Shared;
  readonly #changes: Changes;
  readonly #locked = new Map<string, WorkerRow>();

  constructor(ctx: Context, tx: StoreTransaction) {
    this.#ctx = ctx;
    this.#tx = tx;
    this.#shared = new Shared(tx);
    this.#changes = new Changes(tx);
  }

  /** Takes the rows that the caller has locked, and locks the workers of a machine that reports on several, in the order of their ids. */
  async lock(events: readonly EventFor[]): Promise<void> {
    for (const { locked } of events) if (locked !== undefined) this.#locked.set(locked.id, locked);
    const [first] = events;
    if (first?.by.kind !== 'machine' || events.length === 1) return;
    const ids = events.map(({ workerId }) => workerId);
    for (const row of await this.#tx.lockWorkers(ids, { machineId: first.by.id })) this.#locked.set(row.id, row);
  }

  save(): Promise<void> {
    return this.#changes.save();
  }

  /** Decides on one event, and collects the consequences. */
  async handle(asked: EventFor): Promise<Outcome | null> {
    const { workerId, event, by, requestId } = asked;
    const begunAt = this.#ctx.clock.now();
    const row = await this.#take(workerId, by);
    if (row === null) return null;
    if (requestId !== undefined) {
      const reply = await this.#tx.findReply(workerId, requestId);
      if (reply !== null) return { reply, row, isRepeated: true, hint: () => {} };
    }
    const { seen, decision } = await this.#decide(row, event);
    this.#ctx.onDecision?.(decision);
    return this.#collect(asked, { seen, decision, begunAt });
  }

  /** Takes each row once, as first locked. After a decision on it, the row in the database counts. */
  async #take(workerId: string, by: Cause): Promise<WorkerRow | null> {
    if (this.#changes.concerns(workerId)) await this.save();
    const row = this.#locked.get(workerId);
    this.#locked.delete(workerId);
    if (row !== undefined && (by.kind !== 'machine' || by.id === row.machineId)) return row;
    return this.#tx.lockWorker(workerId, by.kind === 'machine' ? { machineId: by.id } : undefined);
  }

  /**
   * Decides with the facts that the policy asks for: nearly no decision needs more than its worker, and other facts are read only when
   * needed.
   */
  async #decide(row: WorkerRow, event: WorkerEvent): Promise<{ readonly seen: Seen; readonly decision: Decision }> {
    const drawn = { fresh: this.#ctx.ids.uuid(), random: this.#ctx.random() };
    let seen = await this.#see(row, event, drawn);
    for (;;) {
      const { facts, inForce } = seen;
      const answer = decide(row.state, event, { ...facts, policy: inForce.policy });
      if (answer.kind === 'needs') {
        await this.save();
        seen = await this.#find(seen, answer.facts);
        continue;
      }
      const ways = await withoutClosed(this.#tx, { row, ways: facts.ways, decision: answer });
      if (ways === facts.ways) return { seen, decision: answer };
      seen = { ...seen, facts: { ...facts, ways } };
    }
  }

  async #see(row: WorkerRow, event: WorkerEvent, drawn: Pick<DecisionFacts, 'fresh' | 'random'>): Promise<Seen> {
    const ctx = this.#ctx;
    const [project, machine] = await Promise.all([this.#shared.project(row), this.#shared.machine(row.machineId)]);
    const now = ctx.clock.now();
    const facts = {
      now,
      ...drawn,
      profile: row.options.profile,
      trust: project.trust,
      zone: zoneOfMachine(machine?.facts?.['zone'] ?? 'UTC'),
      machineConnected: machineState(machine, { ...judged(ctx), now }) === 'connected',
    };
    return { row, event, project, machine, inForce: policyInForce(ctx, project, row.name), facts };
  }

  /** Reads facts. Locks other workers that a decision may notify before the project, which is locked for the rest of the facts. */
  async #find(before: Seen, names: readonly FactName[]): Promise<Seen> {
    const [ctx, tx] = [this.#ctx, this.#tx];
    const { row, event } = before;
    if (names.includes('ways')) {
      const ways = await waysFor(ctx, tx, before);
      return { ...before, facts: { ...before.facts, ways } };
    }
    await lockMembers(ctx, tx, { row, names });
    await this.#shared.lockProject(row);
    const { fresh, random } = before.facts;
    const seen = await this.#see(row, event, { fresh, random });
    return { ...seen, facts: { ...seen.facts, merge: await mergeFacts(ctx, tx, { ...seen, names }) } };
  }

  async #collect(
    { event, by, requestId: given, seenAt: said, chosen }: EventFor,
    { seen, decision, begunAt }: { readonly seen: Seen; readonly decision: Decision; readonly begunAt: number },
  ): Promise<Outcome> {
    const [ctx, changes, shared] = [this.#ctx, this.#changes, this.#shared];
    const [requestId, seenAt] = [given ?? null, said ?? null];
    const { row, project, machine, inForce, facts } = seen;
    const { now } = facts;
    const kept = await shared.keepPolicy(ctx, { inForce, now });
    const next = rowAfter(row, decision, chosenAfter(row, { decision, event, by, chosen }));
    const there = next.machineId === row.machineId ? machine : await shared.machine(next.machineId);
    const settings = workerSettings(next, placed({ ...project, trust: trustAfter(project, decision) }, there));
    const isAsked = isAccepting(decision.worker.merge.step);
    const commands = decision.commands.map(({ seq, command, timeoutMs }) => ({
      id: ctx.ids.uuid(),
      machineId: next.machineId,
      workerId: row.id,
      body: { kind: 'command' as const, seq, command, ...(isAsked && { asked: true }) },
      settings,
      timeoutMs,
    }));
    const at = ctx.clock.now();
    const audit = auditedDecision({ row, event, by, requestId, now: at }, decision);
    const first = decision.commands[0];
    changes.decided({
      row: next,
      commands,
      event: lineOf(seen, { decision, by, requestId, at }),
      ...(audit !== null && { audit }),
      supersededBy: first !== undefined && isOverdue(row.state, event) ? first.seq : null,
    });
    shared.noteCheckout(decision.consequences.checkout, { project, machine, now: at }, changes);
    const { records, worker: after } = decision;
    const about = { row, after, event, by, project, machine, records, fresh: facts.fresh, now: at };
    const { callable } = shared;
    const errors = await collectRecords({ ctx, tx: this.#tx, shared }, { ...about, changes, callable });
    const told = await this.#tellOthers(records);
    const saved = { ...next, updatedAt: now };
    const hint = (): void => {
      kept();
      for (const error of errors) ctx.onError?.(error);
      for (const hintOther of told) hintOther();
      const heard = { before: row.state, event, decision, seenAt };
      ctx.tracing?.decided({ ...heard, worker: row, begunAt, committedAt: ctx.clock.now() });
      ctx.counters?.decided({ ...heard, now });
      hintOf(ctx, saved, { decision, now });
    };
    return { reply: decision.reply, row: saved, isRepeated: false, hint };
  }

  /** Decides on every event that a conductor sends the members of its train: with its own decision, or not at all. @returns their hints. */
  async #tellOthers(records: readonly DecisionRecord[]): Promise<readonly (() => void)[]> {
    const hints: (() => void)[] = [];
    for (const entry of records) {
      if (entry.kind !== 'train') continue;
      await this.save();
      for (const { worker, event } of entry.told) {
        const handled = await this.handle({ workerId: worker, event, by: POLICY });
        if (handled !== null) hints.push(handled.hint);
      }
    }
    return hints;
  }
}

/** Builds the history line of a decision, with the input that repeats the decision. */
function lineOf(
  { row, event, facts, inForce }: Seen,
  {
    decision,
    by,
    requestId,
    at,
  }: { readonly decision: Decision; readonly by: Cause; readonly requestId: string | null; readonly at: number },
): NewEvent {
  const { worker, rules, records, reply } = decision;
  return {
    workerId: row.id,
    workerName: row.name,
    at,
    requestId,
    actor: by,
    event,
    rules,
    records,
    reply,
    statusBefore: row.state.lifecycle.status,
    statusAfter: worker.lifecycle.status,
    isQuiet: !isWorthALine({ before: row.state, event, decision, requestId }),
    decided: {
      facts,
      policy: inForce.version,
      outcome: digest(outcomeText(decision)),
      before: row.version % KEPT_EVERY === 1 ? row.state : null,
    },
  };
}
