/** Takes observations: stores each once, and decides on the machine's own workers in the same transaction. */
import { InvariantError, wrapError } from '@drover/core';
import type { ListedPane, WorkerEvent } from '@drover/core';
import type { Observation, ObservationBody } from '@drover/protocol';
import type { FinishedCommand, FinishOutcome, Machine, NewObservation, StoreTransaction } from '@drover/store';
import { handleEvents } from '../../loop/handle-events.ts';
import type { Context } from '../../context/context.ts';
import { keepQuotas } from '../../loop/subjects/accounts.ts';
import { evidenceQuery, noteEvidence } from '../../loop/subjects/evidence.ts';
import { askedByRuns, tellRuns } from '../../loop/runs/answered.ts';
import { tellUsage } from '../../loop/usage.ts';
import { countRefusals } from '../../facts/machines/refusals.ts';
import type { Refusal } from '../../context/refused-reports.ts';

/** Outcome of a batch; `superseded`: the machine has said hello since, so nothing is stored; the rest of this session comes again. */
export type Taken = 'taken' | 'superseded';

/** Observations of one message, and the machine's buffer that they come from. */
interface Observed {
  readonly agentEpoch: string;
  readonly observations: readonly Observation[];
}

/**
 * Takes a batch (`batches`) in one transaction. Safe to repeat: the second time nothing happens. An observation on which the policy
 * fails, which is a bug, rolls back the batch. Each observation is then taken by itself, so that only the failing one is set aside: it is
 * stored and logged, also for people, and has no consequences, because everything else that the machine has to say waits behind it. An
 * observation that the machine has no right to make is counted, and has no consequences (docs/adr/0012-one-exchange.md).
 *
 * @param machine Row from the start of the session that brought the observations.
 */
export async function takeObservations(ctx: Context, machine: Machine, observed: Observed): Promise<Taken> {
  const { observations } = observed;
  const [first, ...others] = observations;
  if (first === undefined) return 'taken';
  try {
    return await decideOn(ctx, machine, observed);
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
    if (others.length === 0) return setAside(ctx, machine, { ...observed, observation: first, error });
  }
  for (const observation of observations)
    if ((await takeObservations(ctx, machine, { ...observed, observations: [observation] })) === 'superseded')
      return 'superseded';
  return 'taken';
}

async function decideOn(ctx: Context, machine: Machine, { agentEpoch, observations }: Observed): Promise<Taken> {
  const begun = ctx.clock.now();
  const followed = await ctx.store.transaction(async (tx) => {
    const session = { machineId: machine.id, epoch: machine.epoch, agentEpoch };
    const fresh = await tx.receiveReports(
      session,
      observations.map(({ seq }) => seq),
    );
    if (fresh === 'superseded') return fresh;
    const news = observations.filter(({ seq }) => fresh.includes(seq));
    return news.length === 0 ? [] : follow({ ctx, tx, machine, agentEpoch }, news);
  });
  if (followed === 'superseded') return followed;
  const tookMs = ctx.clock.now() - begun;
  for (const { body } of observations) ctx.counters?.observed(body.kind, tookMs);
  for (const after of followed) after();
  return 'taken';
}

/** Reports of a machine, and their transaction. */
interface Said {
  readonly ctx: Context;
  readonly tx: StoreTransaction;
  readonly machine: Machine;
  readonly agentEpoch: string;
}

/** A new observation, and its events for workers. */
interface Reported {
  readonly observation: Observation;
  /** Reason why the observation has no consequences; null: it may have some. */
  readonly refusal: Refusal | null;
  readonly events: readonly { readonly workerId: string; readonly event: WorkerEvent }[];
}

/**
 * Stores the reports that the machine may make: on its own workers, and on commands that it was given. Counts the others and keeps a
 * digest, however long they are: no machine fills the database with reports that have no consequences. @returns work for after the
 * commit.
 */
async function follow(said: Said, news: readonly Observation[]): Promise<readonly (() => void)[]> {
  const { ctx, tx, machine } = said;
  const asked = await askedByRuns(tx, machine, news);
  const ended = await finish(said, news);
  const answered = await tellRuns(ctx, tx, { asked, ended });
  const usage = await tellUsage(said, news);
  const reports: Reported[] = [];
  for (const observation of news) {
    const outcome = ended.get(observation.seq) ?? 'finished';
    const refusal = outcome === 'finished' ? null : (`${outcome}-command` as const);
    const events = refusal === null ? await eventsOf(said, observation.body) : [];
    reports.push({ observation, refusal, events });
  }
  const by = { kind: 'machine', id: machine.id, name: machine.name } as const;
  const heard = reports.flatMap(({ observation: { at: seenAt }, events }) =>
    events.map((one) => ({ ...one, by, seenAt })),
  );
  const outcomes = await handleEvents(ctx, tx, heard);
  // Due work locks its worker first (due/drain.ts): in the other order the two wait for each other.
  const due = [...new Map(usage.due.map((work) => [work.key, work])).values()];
  await tx.schedule(due.toSorted((one, other) => (one.key < other.key ? -1 : 1)));
  const unpaid = await keepQuotas(said, news);
  const gone = heard.filter((_, index) => outcomes[index] === null).map(({ workerId }) => workerId);
  const missing = new Set([...gone, ...usage.missing, ...unpaid]);
  const judged = await judge(said, reports, missing);
  await tx.insertObservations(
    judged.flatMap(({ seq, at, kept }) => (kept === null ? [] : rowOf(said, { seq, at, body: kept }))),
  );
  const refused = judged.flatMap(({ refusal, body }) => (refusal === null ? [] : { refusal, body }));
  const dueHint = (): void => (usage.due.length === 0 ? undefined : ctx.hints.due(ctx.clock.now()));
  const tell = await countRefusals(ctx, tx, { machine, refused });
  return [...outcomes.flatMap((outcome) => outcome?.hint ?? []), ...answered, dueHint, tell];
}

/** Stores results and answers. @returns the outcome of each, by the number of its observation. */
async function finish(
  { ctx, tx, machine }: Said,
  news: readonly Observation[],
): Promise<ReadonlyMap<number, FinishOutcome>> {
  const ends = news.flatMap(({ seq, body }): readonly (FinishedCommand & { readonly of: number })[] => {
    if (body.kind !== 'result' && body.kind !== 'answer') return [];
    const command = body.kind === 'result' ? { workerId: body.workerId, seq: body.seq } : null;
    return [{ of: seq, id: body.commandId, machineId: machine.id, command, result: body.result }];
  });
  if (ends.length === 0) return new Map();
  const outcomes = await tx.finishCommands(ends, ctx.clock.now());
  return new Map(ends.map(({ of }, index) => [of, outcomes[index] ?? 'unknown']));
}

/** Lists the events of an observation, each for a worker. The answer to a query is no event: the asker shows it. */
async function eventsOf(said: Said, body: ObservationBody): Promise<Reported['events']> {
  switch (body.kind) {
    case 'screen': {
      const { workerId, incarnation, reading } = body;
      return [{ workerId, event: { kind: 'screen-seen', incarnation, reading } }];
    }
    case 'exit':
      return [{ workerId: body.workerId, event: { kind: 'pane-exited', exit: body.exit } }];
    case 'tool-failed': {
      const { workerId, incarnation, report } = body;
      return [{ workerId, event: { kind: 'tool-failed', incarnation, report } }];
    }
    case 'result': {
      const { workerId, seq, result } = body;
      return [{ workerId, event: { kind: 'command-finished', seq, result } }];
    }
    case 'answer':
      await noteEvidence(said.ctx, said.tx, { id: body.commandId, result: body.result });
      return [];
    case 'panes':
      return listedPanes(said, body);
    // Changes no worker: a use is counted, and a run or an account hears of it.
    case 'usage':
    case 'quota':
      return [];
    default:
      return body satisfies never;
  }
}

type Panes = Extract<ObservationBody, { kind: 'panes' }>;

/**
 * Lists the events of a list of panes for every worker of the machine, in the order of their ids. A worker that the machine may not speak
 * of is refused.
 */
async function listedPanes({ tx, machine }: Said, { panes, hasRestarted }: Panes): Promise<Reported['events']> {
  const found = new Map(panes.map((pane) => [pane.workerId, pane]));
  const own = (await tx.listWorkers({ machineId: machine.id })).map(({ id }) => id);
  return own.toSorted().map((workerId) => {
    const pane = paneOf(found.get(workerId));
    return { workerId, event: { kind: 'panes-listed', pane, ...(pane === null && hasRestarted && { hasRestarted }) } };
  });
}

/** An observation, the part that the machine may report, and the reason why it or the rest has no consequences. */
interface Judged extends Observation {
  /** Part that the machine may report; null: none. */
  readonly kept: ObservationBody | null;
  readonly refusal: Refusal | null;
}

/** @param missing Workers that are not on this machine. */
async function judge(
  said: Said,
  reports: readonly Reported[],
  missing: ReadonlySet<string>,
): Promise<readonly Judged[]> {
  const strangers = new Map(
    reports.map(({ observation, events }) => [observation.seq, strangersIn(observation, events, missing)]),
  );
  const ids = new Set([...strangers.values()].flat());
  const owners = ids.size === 0 ? new Map<string, string>() : await said.tx.machinesOfWorkers([...ids]);
  return reports.map(({ observation, refusal, events }) => {
    const { body } = observation;
    const foreign = strangers.get(observation.seq) ?? [];
    if (refusal !== null) return { ...observation, refusal, kept: null };
    // A removed worker belongs to no machine: its machine may still report it.
    const isForeign = foreign.some((id) => (owners.get(id) ?? said.machine.id) !== said.machine.id);
    const why = foreign.length === 0 ? null : isForeign ? 'foreign-worker' : 'unknown-worker';
    if (body.kind !== 'panes') return { ...observation, refusal: why, kept: why === null ? body : null };
    // The panes of a machine without workers have no consequences.
    const panes = body.panes.filter(({ workerId }) => !foreign.includes(workerId));
    return { ...observation, refusal: why, kept: events.length === 0 ? null : { ...body, panes } };
  });
}

/** Finds workers of an observation that are not on the machine. A machine's own command of a worker that has moved away since is no fault. */
function strangersIn(
  { body }: Observation,
  events: Reported['events'],
  missing: ReadonlySet<string>,
): readonly string[] {
  if (body.kind === 'result' || body.kind === 'answer') return [];
  if (body.kind !== 'panes') return missing.has(body.workerId) ? [body.workerId] : [];
  const own = new Set(events.map(({ workerId }) => workerId));
  return body.panes.flatMap(({ workerId }) => (own.has(workerId) ? [] : workerId));
}

function rowOf({ ctx, machine, agentEpoch }: Said, { seq, at, body }: Observation): NewObservation {
  const workerId = 'workerId' in body ? body.workerId : null;
  return {
    machineId: machine.id,
    epoch: machine.epoch,
    agentEpoch,
    seq,
    workerId,
    body,
    seenAt: at,
    now: ctx.clock.now(),
  };
}

async function setAside(
  ctx: Context,
  machine: Machine,
  {
    agentEpoch,
    observation,
    error,
  }: { readonly agentEpoch: string; readonly observation: Observation; readonly error: InvariantError },
): Promise<Taken> {
  const { seq, body } = observation;
  ctx.log('error', `The policy failed on an observation of "${machine.name}": ${error.message}`, { seq, body });
  return ctx.store.transaction(async (tx) => {
    const seen = rowOf({ ctx, tx, machine, agentEpoch }, observation);
    const { workerId, now } = seen;
    const fresh = await tx.receiveReports(seen, [seen.seq]);
    if (fresh === 'superseded') return fresh;
    if (fresh.length === 0) return 'taken';
    await tx.insertObservations([seen]);
    const worker = (await tx.listWorkers({ machineId: machine.id })).find(({ id }) => id === workerId);
    const context = { machine: machine.name, ...(worker !== undefined && { worker: worker.name }) };
    const wrapped = wrapError(error, { component: 'policy', now, id: () => ctx.ids.uuid(), context });
    // Causes come first: the error that they led to names them.
    const of = { incidentId: null, workerId, machineId: machine.id, detectMs: null, calledOffAt: null, evidence: null };
    await tx.insertErrors([...wrapped.causes.toReversed(), wrapped.error].map((row) => ({ ...row, ...of })));
    const project = worker === undefined ? null : await tx.readProject(worker.projectId);
    if (worker !== undefined && project !== null) {
      const query = evidenceQuery({ row: worker, after: worker.state, project, machine }, wrapped.error);
      if (query !== null) await tx.insertCommands([query], now);
    }
    return 'taken';
  });
}

function paneOf(pane: ListedPane | undefined): ListedPane | null {
  return pane === undefined ? null : { incarnation: pane.incarnation, dead: pane.dead };
}
