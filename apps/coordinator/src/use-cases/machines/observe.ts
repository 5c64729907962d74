/** Takes an observation: it is stored once, and what it says of its machine's own workers is decided in the same transaction. */
import { InvariantError, wrapError } from '@drover/core';
import type { ListedPane, WorkerEvent } from '@drover/core';
import type { Observation, ObservationBody } from '@drover/protocol';
import type { FinishedCommand, Machine, NewObservation, StoreTransaction } from '@drover/store';
import type { Context } from '../context.ts';
import { askForEvidence, noteEvidence } from '../incidents/evidence.ts';
import { handleEvent } from '../decisions/handle-event.ts';
import { together } from './batch-transaction.ts';
import { countRefusals } from './refusals.ts';
import type { Refusal } from './refused-reports.ts';

/** One observation, and the machine's buffer that it comes from. */
interface Observed {
  readonly agentEpoch: string;
  readonly observation: Observation;
}

/** `superseded`: the machine has said hello since, so that nothing is stored; what this session did not store comes again. */
export type Taken = 'taken' | 'superseded';

/** Several observations of one message, and the machine's buffer that they come from. */
interface ObservedTogether {
  readonly agentEpoch: string;
  readonly observations: readonly Observation[];
}

/**
 * Takes a batch (`batches`) in one transaction. One on which the policy fails undoes what was decided with it: each of them is then taken
 * by itself, so that only that one is set aside.
 */
export async function takeObservations(
  ctx: Context,
  machine: Machine,
  { agentEpoch, observations }: ObservedTogether,
): Promise<Taken> {
  try {
    if (observations.length > 1) return await decideTogether(ctx, machine, { agentEpoch, observations });
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
  }
  for (const observation of observations)
    if ((await takeObservation(ctx, machine, { agentEpoch, observation })) === 'superseded') return 'superseded';
  return 'taken';
}

async function decideTogether(
  ctx: Context,
  machine: Machine,
  { agentEpoch, observations }: ObservedTogether,
): Promise<Taken> {
  const begun = ctx.clock.now();
  const followed = await ctx.store.transaction(async (given) => {
    const seqs = observations.map(({ seq }) => seq);
    const fresh = await given.receiveReports({ machineId: machine.id, epoch: machine.epoch, agentEpoch }, seqs);
    if (fresh === 'superseded') return fresh;
    const news = observations.filter(({ seq }) => fresh.includes(seq));
    const workerIds = news.flatMap(({ body }) => ('workerId' in body ? body.workerId : []));
    const judged = await together(given, { machineId: machine.id, workerIds }, async (tx) => {
      const all: Judged[] = [];
      for (const observation of news)
        all.push({ observation, ...(await follow({ ctx, tx, machine, at: observation.at }, observation.body)) });
      return all;
    });
    return keep(ctx, given, { machine, agentEpoch, judged });
  });
  if (followed === 'superseded') return followed;
  const tookMs = ctx.clock.now() - begun;
  for (const { body } of observations) ctx.counters?.observed(body.kind, tookMs);
  for (const after of followed) after();
  return 'taken';
}

/** An observation that is new, and what was found of it. */
interface Judged extends Followed {
  readonly observation: Observation;
}

/**
 * Stores what the machine may report. Of the others a count and a digest are kept, however long they are: no machine fills the database
 * with what nothing follows from. @returns what is done after the commit.
 */
async function keep(
  ctx: Context,
  tx: StoreTransaction,
  { machine, agentEpoch, judged }: { machine: Machine; agentEpoch: string; judged: readonly Judged[] },
): Promise<readonly (() => void)[]> {
  const rows = judged.flatMap(({ observation, kept }) =>
    kept === null ? [] : rowOf(ctx, machine, { agentEpoch, observation: { ...observation, body: kept } }),
  );
  await tx.insertObservations(rows);
  const refused = judged.flatMap(({ observation, refusal }) =>
    refusal === null ? [] : { refusal, body: observation.body },
  );
  const tell = await countRefusals(ctx, tx, { machine, refused });
  return [...judged.flatMap(({ hints }) => hints), tell];
}

/**
 * Takes one observation. Safe to repeat: the second time nothing happens. One on which the policy fails, which is a bug,
 * is stored and logged, also for people, and nothing follows from it: all that the machine has to say waits behind it.
 * One that is not this machine's to make is counted, and nothing follows from it (docs/adr/0012-one-exchange.md).
 *
 * @param machine As it was when the session began that the observation came in.
 */
export async function takeObservation(ctx: Context, machine: Machine, observed: Observed): Promise<Taken> {
  try {
    return await decideOn(ctx, machine, observed);
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
    const { seq, body } = observed.observation;
    ctx.log('error', `The policy failed on an observation of "${machine.name}": ${error.message}`, { seq, body });
    return setAside(ctx, machine, { ...observed, error });
  }
}

function rowOf({ clock }: Context, { id, epoch }: Machine, { agentEpoch, observation }: Observed): NewObservation {
  const { seq, at, body } = observation;
  const workerId = 'workerId' in body ? body.workerId : null;
  return { machineId: id, epoch, agentEpoch, seq, workerId, body, seenAt: at, now: clock.now() };
}

async function setAside(
  ctx: Context,
  machine: Machine,
  { error, ...observed }: Observed & { readonly error: InvariantError },
): Promise<Taken> {
  const seen = rowOf(ctx, machine, observed);
  const { workerId, now } = seen;
  return ctx.store.transaction(async (tx) => {
    const fresh = await tx.receiveReports(seen, [seen.seq]);
    if (fresh === 'superseded') return fresh;
    if (fresh.length === 0) return 'taken';
    await tx.insertObservations([seen]);
    const worker = (await tx.listWorkers({ machineId: machine.id })).find(({ id }) => id === workerId);
    const context = { machine: machine.name, ...(worker !== undefined && { worker: worker.name }) };
    const wrapped = wrapError(error, { component: 'policy', now, id: () => ctx.ids.uuid(), context });
    // What led to it comes first: it is named by what came of it.
    for (const row of [...wrapped.causes.toReversed(), wrapped.error])
      await tx.insertError({
        ...row,
        incidentId: null,
        workerId,
        machineId: machine.id,
        detectMs: null,
        calledOffAt: null,
        evidence: null,
      });
    const project = worker === undefined ? null : await tx.readProject(worker.projectId);
    if (worker !== undefined && project !== null) {
      const about = { row: worker, after: worker.state, project, machine, now };
      await askForEvidence(tx, { about, id: wrapped.error.id, code: wrapped.error.code });
    }
    return 'taken';
  });
}

/** What is done once the transaction is committed. */
interface Followed {
  readonly hints: readonly (() => void)[];
  /** Why nothing follows from the observation, or from a part of it. */
  readonly refusal: Refusal | null;
  /** The part of it that is the machine's to report; null: none. */
  readonly kept: ObservationBody | null;
}

async function decideOn(ctx: Context, machine: Machine, observed: Observed): Promise<Taken> {
  const begun = ctx.clock.now();
  const { agentEpoch, observation } = observed;
  const followed = await ctx.store.transaction(async (tx) => {
    const session = { machineId: machine.id, epoch: machine.epoch, agentEpoch };
    const fresh = await tx.receiveReports(session, [observation.seq]);
    if (fresh === 'superseded') return fresh;
    if (fresh.length === 0) return [];
    const { at, body } = observation;
    const judged = [{ observation, ...(await follow({ ctx, tx, machine, at }, body)) }];
    return keep(ctx, tx, { machine, agentEpoch, judged });
  });
  if (followed === 'superseded') return followed;
  ctx.counters?.observed(observation.body.kind, ctx.clock.now() - begun);
  for (const after of followed) after();
  return 'taken';
}

function refused(refusal: Refusal): Followed {
  return { hints: [], refusal, kept: null };
}

/** One report in its transaction, and the machine whose it is. `at` is when the machine saw it, by its own clock. */
interface Said {
  readonly ctx: Context;
  readonly tx: StoreTransaction;
  readonly machine: Machine;
  readonly at: number;
}

/** A machine speaks of its own workers, and of the commands that it was given. */
async function follow(said: Said, body: ObservationBody): Promise<Followed> {
  switch (body.kind) {
    case 'screen': {
      const { incarnation, reading } = body;
      return followed(said, body, { kind: 'screen-seen', incarnation, reading });
    }
    case 'exit':
      return followed(said, body, { kind: 'pane-exited', exit: body.exit });
    case 'tool-failed': {
      const { incarnation, report } = body;
      return followed(said, body, { kind: 'tool-failed', incarnation, report });
    }
    case 'result': {
      const { commandId: id, workerId, seq, result } = body;
      const refusal = await finish(said, { id, command: { workerId, seq }, result });
      if (refusal !== null) return refused(refusal);
      const hint = await decideFor(said, workerId, { kind: 'command-finished', seq, result });
      // Its own command of a worker that has moved away since: nothing follows, and nothing is wrong with that.
      return { hints: hint === null ? [] : [hint], refusal: null, kept: body };
    }
    case 'answer': {
      const { commandId: id, result } = body;
      const refusal = await finish(said, { id, command: null, result });
      if (refusal !== null) return refused(refusal);
      await noteEvidence(said.ctx, said.tx, { id, result });
      return { hints: [], refusal: null, kept: body };
    }
    case 'panes':
      return decideOnPanes(said, body);
    default:
      return body satisfies never;
  }
}

/** Decides on a report about one worker. */
async function followed(
  said: Said,
  body: Extract<ObservationBody, { kind: 'screen' | 'exit' | 'tool-failed' }>,
  event: WorkerEvent,
): Promise<Followed> {
  const hint = await decideFor(said, body.workerId, event);
  if (hint !== null) return { hints: [hint], refusal: null, kept: body };
  return refused(await refusalOf(said, [body.workerId]));
}

/** @returns null when the worker is not on this machine. */
async function decideFor(
  { ctx, tx, machine, at }: Said,
  workerId: string,
  event: WorkerEvent,
): Promise<(() => void) | null> {
  const by = { kind: 'machine', id: machine.id, name: machine.name } as const;
  const handled = await handleEvent(ctx, tx, { workerId, event, by, seenAt: at });
  return handled?.hint ?? null;
}

type Panes = Extract<ObservationBody, { kind: 'panes' }>;

/** Rows are taken in the order of their ids, so that two lists of panes cannot wait for one another. */
async function decideOnPanes(said: Said, body: Panes): Promise<Followed> {
  const { panes, hasRestarted } = body;
  const found = new Map(panes.map((pane) => [pane.workerId, pane]));
  const own = (await said.tx.listWorkers({ machineId: said.machine.id })).map(({ id }) => id);
  const hints: (() => void)[] = [];
  for (const workerId of own.toSorted()) {
    const pane = paneOf(found.get(workerId));
    const event = { kind: 'panes-listed', pane, ...(pane === null && hasRestarted && { hasRestarted }) } as const;
    const hint = await decideFor(said, workerId, event);
    if (hint !== null) hints.push(hint);
    found.delete(workerId);
  }
  const refusal = found.size === 0 ? null : await refusalOf(said, [...found.keys()]);
  // Nothing follows from the panes of a machine without workers.
  const kept = own.length === 0 ? null : { ...body, panes: panes.filter(({ workerId }) => !found.has(workerId)) };
  return { hints, refusal, kept };
}

async function finish(
  { ctx, tx, machine }: Said,
  finished: Omit<FinishedCommand, 'machineId'>,
): Promise<Refusal | null> {
  const outcome = await tx.finishCommand({ ...finished, machineId: machine.id }, ctx.clock.now());
  return outcome === 'finished' ? null : `${outcome}-command`;
}

/** Why nothing follows for these workers, which are not on this machine. One that was removed is no machine's: its machine may still report it. */
async function refusalOf({ tx, machine }: Said, workerIds: readonly string[]): Promise<Refusal> {
  const machines = await tx.machinesOfWorkers(workerIds);
  return [...machines.values()].some((id) => id !== machine.id) ? 'foreign-worker' : 'unknown-worker';
}

function paneOf(pane: ListedPane | undefined): ListedPane | null {
  return pane === undefined ? null : { incarnation: pane.incarnation, dead: pane.dead };
}
