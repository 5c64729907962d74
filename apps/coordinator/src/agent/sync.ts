/** One exchange with a machine: its observations are stored and decided, its orders are handed out. */
import { PROTOCOL_VERSION, PROTOCOL_VERSION_MIN } from '@drover/protocol';
import type { ProfileSet, SyncAnswer, SyncRequest, UnreadObservation, WireCommand } from '@drover/protocol';
import type { Machine } from '@drover/store';
import type { Context } from '../use-cases/context.ts';
import { DEFAULT_LEASES, signOfLifeMs } from '../use-cases/leases.ts';
import { takeObservation } from '../use-cases/observe.ts';

/** Commands in one answer at most. */
const COMMANDS_MAX = 50;
/** Syncs of idle machines that the whole fleet may send in a second. Source: docs/architecture.md, intervals. */
const SYNCS_PER_SECOND = 50;
/** Share by which intervals are spread, so that machines do not come in step. */
const SPREAD = 0.2;

/** The time until an idle machine's next sync, in milliseconds: by its lease, longer in a large fleet, and spread. */
export function syncIntervalMs(machines: number, random: number, leases = DEFAULT_LEASES): number {
  const even = Math.max(signOfLifeMs(leases), (machines / SYNCS_PER_SECOND) * 1_000);
  return Math.round(even * (1 - SPREAD + 2 * SPREAD * random));
}

/** Stores what the machine said, in its order. @returns the number through which everything is stored. */
export async function takeRequest(ctx: Context, machine: Machine, request: SyncRequest): Promise<number> {
  await ctx.store.touchMachine(machine.id, ctx.clock.now());
  await ctx.store.ackCommands(machine.id, request.acks);
  const { agentEpoch } = request;
  for (const observation of request.observations) {
    if ('unread' in observation) leaveUnread(ctx, machine, observation);
    else await takeObservation(ctx, machine, { agentEpoch, observation });
  }
  return request.observations.at(-1)?.seq ?? 0;
}

/** Which kinds of which machine were told of by a replica. */
const told = new WeakMap<Context, Set<string>>();

/** Counted each time, told once: the agent is newer than this coordinator, and goes on saying it. */
function leaveUnread(ctx: Context, machine: Machine, { unread }: UnreadObservation): void {
  ctx.counters?.unread();
  const known = told.get(ctx) ?? new Set();
  told.set(ctx, known);
  if (known.has(`${machine.id} ${unread}`)) return;
  known.add(`${machine.id} ${unread}`);
  const message = `The machine "${machine.name}" says what this coordinator cannot read (${unread}): update the coordinator`;
  ctx.log('warn', message, { machineId: machine.id, kind: unread });
}

/**
 * The same for a long poll. One poll follows the other, so what the one before was given and this one does not acknowledge
 * never arrived: a machine that has news gives up the poll that waits, and the answer to that one with it.
 */
export async function takePoll(ctx: Context, machine: Machine, request: SyncRequest): Promise<number> {
  const ackThrough = await takeRequest(ctx, machine, request);
  await ctx.store.resendCommands(machine.id, 'unacknowledged');
  return ackThrough;
}

/** Orders for this epoch of the machine. A failure leaves them to be handed out again. */
export async function takeCommands(ctx: Context, machine: Machine): Promise<WireCommand[]> {
  const { epoch } = machine;
  try {
    const taken = await ctx.store.takeCommands(machine.id, epoch, COMMANDS_MAX);
    return taken.map(({ id, body, seat, timeoutMs }) => ({ id, epoch, timeoutMs, seat, order: body }));
  } catch (error) {
    await ctx.store.resendCommands(machine.id, 'unacknowledged');
    throw error;
  }
}

/** The profiles, if the machine has an older set. @returns null when it has them. */
export async function newerProfiles(ctx: Context, request: SyncRequest): Promise<ProfileSet | null> {
  const { revision, documents } = await ctx.store.readProfiles();
  if (revision <= request.profilesRevision) return null;
  return { revision, documents: documents.map(({ name, document }) => ({ name, document })) };
}

/** One answer to a machine. An `ackThrough` of 0 acknowledges nothing, as in orders that are pushed. */
export function answer(
  ctx: Context,
  machine: Machine,
  parts: { ackThrough: number; commands: WireCommand[]; profiles: ProfileSet | null },
): SyncAnswer {
  return {
    ...parts,
    nextIntervalMs: syncIntervalMs(ctx.fleetSize.machines, ctx.random(), ctx.leases),
    registered: true,
    epoch: machine.epoch,
    serverTime: ctx.clock.now(),
    serverVersion: PROTOCOL_VERSION,
    minVersion: PROTOCOL_VERSION_MIN,
  };
}

/** What a machine hears whose token is unknown or over: it must say hello again. */
export function notRegistered(ctx: Context): SyncAnswer {
  return {
    ackThrough: 0,
    commands: [],
    profiles: null,
    nextIntervalMs: signOfLifeMs(ctx.leases ?? DEFAULT_LEASES),
    registered: false,
    epoch: 0,
    serverTime: ctx.clock.now(),
    serverVersion: PROTOCOL_VERSION,
    minVersion: PROTOCOL_VERSION_MIN,
  };
}
