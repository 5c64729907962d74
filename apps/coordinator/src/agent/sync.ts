/** Runs one exchange with a machine: stores and decides its observations, hands out its commands. */
import { PROTOCOL_VERSION, PROTOCOL_VERSION_MIN } from '@drover/protocol';
import type {
  Observation,
  ProfileSet,
  SyncAnswer,
  SyncRequest,
  UnreadObservation,
  CommandEnvelope,
} from '@drover/protocol';
import type { Machine, MachineAccess, PendingCommand } from '@drover/store';
import type { Context } from '../context/context.ts';
import { DEFAULT_LEASES, signOfLifeMs } from '../context/leases.ts';
import { expireCommand, hasExpired } from '../loop/subjects/expired-commands.ts';
import { profilesFor } from '../facts/workers/profiles.ts';
import { heardCondition } from '../facts/machines/condition.ts';
import { batches } from '../loop/batches.ts';
import { takeObservations } from '../use-cases/machines/observe.ts';

/** Commands in one answer at most. */
const COMMANDS_MAX = 50;
/** Bytes of commands in one answer: half of what a machine takes in one message, since 50 prompts of 1 MiB are more. */
const COMMANDS_BYTES_MAX = 8 * 1_048_576;
/** Syncs of idle machines that the whole fleet may send in a second. Source: docs/mechanics.md, intervals. */
const SYNCS_PER_SECOND = 50;
/** Share by which intervals are spread, so that machines do not come in step. */
const SPREAD = 0.2;

/** Computes the milliseconds until an idle machine's next sync: by its lease, longer in a large fleet, and spread. */
export function syncIntervalMs(machines: number, random: number, leases = DEFAULT_LEASES): number {
  const even = Math.max(signOfLifeMs(leases), (machines / SYNCS_PER_SECOND) * 1_000);
  return Math.round(even * (1 - SPREAD + 2 * SPREAD * random));
}

/** Milliseconds between access checks of an open connection: a revoked machine is cut off within 5 s. */
export const ACCESS_CHECK_EVERY_MS = 4_000;

/** Reasons why a connection is over. */
export type End = NonNullable<SyncAnswer['reason']>;

/** @returns the reason why this connection is over; null while the connection goes on. */
export async function endOf(ctx: Context, machine: Pick<Machine, 'id' | 'epoch'>): Promise<End | null> {
  const [access] = await ctx.store.listAccess([machine.id]);
  return endBy(access, machine.epoch, ctx.clock.now());
}

/** Decides the same from the machine's access. @param access Undefined for a machine that no longer exists. */
export function endBy(access: MachineAccess | undefined, epoch: number, now: number): End | null {
  if (access === undefined) return 'removed';
  if (access.revokedAt !== null) return 'revoked';
  if (access.epoch !== epoch) return 'superseded';
  return access.accessTokenExpiresAt === null || access.accessTokenExpiresAt <= now ? 'renew' : null;
}

/** Result of a request that was taken. */
export interface Heard {
  /** Number through which everything is stored. */
  readonly ackThrough: number;
  /** Read before this request; commands that the request causes send their own wake-up. */
  readonly hasCommands: boolean;
  /** Tells whether there are newer agent profiles than the machine has. */
  readonly hasProfiles: boolean;
}

/**
 * Stores the machine's observations in order. @returns null when the connection is over (`endOf` says why), or when the machine speaks
 * from another buffer than in its hello: the machine repeats the rest in its new session.
 */
export async function takeRequest(ctx: Context, machine: Machine, request: SyncRequest): Promise<Heard | null> {
  const { agentEpoch } = request;
  const session = { machineId: machine.id, epoch: machine.epoch, agentEpoch };
  const now = ctx.clock.now();
  const condition = request.condition && heardCondition(request.condition, now);
  const touched = await ctx.store.touchMachine(session, now, condition);
  if (touched === null) return superseded(ctx);
  await ctx.store.ackCommands(session, request.acks);
  const read: Observation[] = [];
  for (const observation of request.observations)
    if ('unread' in observation) leaveUnread(ctx, machine, observation);
    else read.push(observation);
  for (const observations of batches(read))
    if ((await takeObservations(ctx, machine, { agentEpoch, observations })) === 'superseded') return superseded(ctx);
  const { hasCommands, profilesRevision } = touched;
  const hasProfiles = profilesRevision > request.profilesRevision;
  return { ackThrough: request.observations.at(-1)?.seq ?? 0, hasCommands, hasProfiles };
}

function superseded(ctx: Context): null {
  ctx.counters?.refused('superseded');
  return null;
}

/** Unknown kinds logged per machine at most: a machine may invent kinds. */
const KINDS_TOLD_MAX = 20;
/** Unknown kinds that a replica has logged, by machine. */
const told = new WeakMap<Context, Map<string, Set<string>>>();

/** Counts an unread observation each time, logs its kind once: the agent is newer than this coordinator, and repeats the observation. */
function leaveUnread(ctx: Context, machine: Machine, { unread }: UnreadObservation): void {
  ctx.counters?.unread();
  const machines = told.get(ctx) ?? new Map<string, Set<string>>();
  told.set(ctx, machines);
  const known = machines.get(machine.id) ?? new Set();
  machines.set(machine.id, known);
  if (known.has(unread) || known.size >= KINDS_TOLD_MAX) return;
  known.add(unread);
  const message = `The machine "${machine.name}" sends messages that this coordinator cannot read (${unread}): update the coordinator`;
  ctx.log('warn', message, { machineId: machine.id, kind: unread });
}

/**
 * Takes the request of a long poll. Polls follow one another, so commands that the previous poll was given and this one does not
 * acknowledge never arrived: a machine with news gives up the poll that waits, and the answer to that poll.
 */
export async function takePoll(ctx: Context, machine: Machine, request: SyncRequest): Promise<number | null> {
  const heard = await takeRequest(ctx, machine, request);
  if (heard === null) return null;
  await ctx.store.resendCommands(machine.id, 'unacknowledged');
  return heard.ackThrough;
}

/** Takes the commands for this epoch of the machine. After a failure the commands are handed out again. */
export async function takeCommands(ctx: Context, machine: Machine): Promise<CommandEnvelope[]> {
  const { epoch } = machine;
  try {
    const waiting = await ctx.store.takeCommands(machine.id, epoch, COMMANDS_MAX);
    const now = ctx.clock.now();
    const taken = waiting.filter((command) => !hasExpired(command, now));
    for (const command of waiting) if (hasExpired(command, now)) await expireCommand(ctx, machine, command);
    const fitting = withinOneAnswer(taken);
    // The rest goes with a later answer; a command that was sent and is not acknowledged by then goes twice, which is harmless.
    if (fitting.length < taken.length) await ctx.store.resendCommands(machine.id, 'unacknowledged');
    return fitting.map(({ id, body, settings, timeoutMs }) => ({ id, epoch, timeoutMs, settings, body }));
  } catch (error) {
    await ctx.store.resendCommands(machine.id, 'unacknowledged');
    throw error;
  }
}

/** Keeps the first commands that fit in one answer; at least one, because a command is never larger than an answer may be. */
function withinOneAnswer(commands: readonly PendingCommand[]): readonly PendingCommand[] {
  let bytes = 0;
  const end = commands.findIndex((command) => {
    bytes += Buffer.byteLength(JSON.stringify(command));
    return bytes > COMMANDS_BYTES_MAX;
  });
  return end === -1 ? commands : commands.slice(0, Math.max(1, end));
}

/** Gives the profiles if the machine has an older set. @returns null when the machine's set is current. */
export async function newerProfiles(
  ctx: Context,
  { id }: Pick<Machine, 'id'>,
  request: SyncRequest,
): Promise<ProfileSet | null> {
  const set = await profilesFor(ctx, id);
  return set.revision <= request.profilesRevision ? null : set;
}

/** Builds one answer to a machine. An `ackThrough` of 0 acknowledges nothing, as in commands that are pushed. */
export function answer(
  ctx: Context,
  machine: Machine,
  parts: { ackThrough: number; commands: CommandEnvelope[]; profiles: ProfileSet | null },
): SyncAnswer {
  return {
    ...parts,
    nextIntervalMs: syncIntervalMs(ctx.fleetSize.machines, ctx.random(), ctx.leases),
    registered: true,
    reason: null,
    epoch: machine.epoch,
    serverTime: ctx.clock.now(),
    serverVersion: PROTOCOL_VERSION,
    minVersion: ctx.minVersion ?? PROTOCOL_VERSION_MIN,
  };
}

/** Answers a machine whose token is unknown or no longer valid: the machine must say hello again. `reason` is null where the token is unknown. */
export function notRegistered(ctx: Context, reason: End | null): SyncAnswer {
  return {
    ackThrough: 0,
    commands: [],
    profiles: null,
    nextIntervalMs: signOfLifeMs(ctx.leases ?? DEFAULT_LEASES),
    registered: false,
    reason,
    epoch: 0,
    serverTime: ctx.clock.now(),
    serverVersion: PROTOCOL_VERSION,
    minVersion: ctx.minVersion ?? PROTOCOL_VERSION_MIN,
  };
}
