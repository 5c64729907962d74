/** An observation comes in: stored once, and what it says of a worker is decided in the same transaction. */
import { InvariantError, wrapError } from '@drover/core';
import type { WorkerEvent } from '@drover/core';
import type { Observation, ObservationBody } from '@drover/protocol';
import type { Machine, StoreTransaction } from '@drover/store';
import type { Context } from './context.ts';
import { handleEvent } from './handle-event.ts';

/** One observation, and the machine's buffer that it comes from. */
interface Observed {
  readonly agentEpoch: string;
  readonly observation: Observation;
}

/**
 * Takes one observation. Safe to repeat: the second time nothing happens. One on which the policy fails, which is a bug,
 * is stored and logged, also for people, and nothing follows from it: all that the machine has to say waits behind it.
 */
export async function takeObservation(ctx: Context, machine: Machine, observed: Observed): Promise<void> {
  try {
    await decideOn(ctx, machine, observed);
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
    const { seq, body } = observed.observation;
    ctx.log('error', `The policy failed on an observation of "${machine.name}": ${error.message}`, { seq, body });
    await setAside(ctx, machine, { ...observed, error });
  }
}

async function setAside(
  ctx: Context,
  machine: Machine,
  { agentEpoch, observation, error }: Observed & { readonly error: InvariantError },
): Promise<void> {
  const { seq, at, body } = observation;
  const workerId = 'workerId' in body ? body.workerId : null;
  const now = ctx.clock.now();
  const seen = { machineId: machine.id, agentEpoch, seq, workerId, body, seenAt: at, now };
  await ctx.store.transaction(async (tx) => {
    if (!(await tx.insertObservation(seen))) return;
    const worker = (await tx.listWorkers({ machineId: machine.id })).find(({ id }) => id === workerId)?.name;
    const context = { machine: machine.name, ...(worker !== undefined && { worker }) };
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
      });
  });
}

async function decideOn(ctx: Context, machine: Machine, { agentEpoch, observation }: Observed): Promise<void> {
  const begun = ctx.clock.now();
  const hints = await ctx.store.transaction(async (tx) => {
    const { seq, at, body } = observation;
    const now = ctx.clock.now();
    const workerId = 'workerId' in body ? body.workerId : null;
    const fresh = await tx.insertObservation({
      machineId: machine.id,
      agentEpoch,
      seq,
      workerId,
      body,
      seenAt: at,
      now,
    });
    if (!fresh) return [];
    if (body.kind === 'result') await tx.finishCommand(body.commandId, body.result, now);
    if (body.kind === 'answer') await tx.finishCommand(body.commandId, body.result, now);
    const events = await eventsOf(tx, machine, body);
    return decideAll(
      ctx,
      tx,
      events.map((addressed) => ({ ...addressed, seenAt: at })),
    );
  });
  ctx.counters?.observed(observation.body.kind, ctx.clock.now() - begun);
  for (const hint of hints) hint();
}

interface Addressed {
  readonly workerId: string;
  readonly event: WorkerEvent;
  readonly seenAt?: number;
}

async function decideAll(
  ctx: Context,
  tx: StoreTransaction,
  events: readonly Addressed[],
): Promise<readonly (() => void)[]> {
  const hints: (() => void)[] = [];
  for (const addressed of events) {
    const handled = await handleEvent(ctx, tx, addressed);
    if (handled !== null) hints.push(handled.hint);
  }
  return hints;
}

/** Rows are taken in the order of their ids, so that two lists of panes cannot wait for one another. */
async function eventsOf(tx: StoreTransaction, machine: Machine, body: ObservationBody): Promise<readonly Addressed[]> {
  switch (body.kind) {
    case 'screen':
      return [
        { workerId: body.workerId, event: { kind: 'screen-seen', incarnation: body.incarnation, look: body.look } },
      ];
    case 'exit':
      return [{ workerId: body.workerId, event: { kind: 'pane-exited', exit: body.exit } }];
    case 'result':
      return [{ workerId: body.workerId, event: { kind: 'command-finished', seq: body.seq, result: body.result } }];
    case 'answer':
      return [];
    case 'tool-failed': {
      const { workerId, incarnation, report } = body;
      return [{ workerId, event: { kind: 'tool-failed', incarnation, report } }];
    }
    case 'panes': {
      const panes = new Map(body.panes.map((pane) => [pane.workerId, pane]));
      const workers = await tx.listWorkers({ machineId: machine.id });
      return workers
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        .map(({ id }) => ({ workerId: id, event: { kind: 'panes-listed', pane: paneFacts(panes.get(id)) } }));
    }
    default:
      return body satisfies never;
  }
}

function paneFacts(
  pane: { incarnation: string; dead: boolean } | undefined,
): { incarnation: string; dead: boolean } | null {
  return pane === undefined ? null : { incarnation: pane.incarnation, dead: pane.dead };
}
