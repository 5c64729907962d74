/** Joins a machine, and proves at each connection that the same machine returns. */
import { profilesFor } from '../facts/workers/profiles.ts';
import { createPublicKey, verify } from 'node:crypto';
import {
  challengeMessage,
  helloMessage,
  isTooOld,
  lackedBy,
  PROTOCOL_VERSION,
  PROTOCOL_VERSION_MIN,
  speaks,
  UPGRADE_AGENT,
  UPGRADE_GATEWAY,
} from '@drover/protocol';
import type {
  AgentError,
  ChallengeAnswer,
  ChallengeRequest,
  HelloAnswer,
  HelloRequest,
  JoinAnswer,
  JoinRequest,
} from '@drover/protocol';
import type { Machine, NewAudit } from '@drover/store';
import { sha256 } from '../context/sha256.ts';
import { isOwnAddress, quoted } from '../door/request-check.ts';
import { audited } from '../facts/people/audit-rows.ts';
import type { Context } from '../context/context.ts';
import { concludeSentCommands } from '../use-cases/machines/another-journal.ts';
import { placed } from '../facts/projects/place.ts';
import { workerSettings } from '../facts/workers/settings.ts';

/** Milliseconds for which an access token is valid. Source: docs/mechanics.md, security. */
export const ACCESS_TOKEN_TTL_MS = 15 * 60_000;

/** An agent route's answer; `status` is the HTTP status. */
export type Answer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'refused'; readonly status: Status; readonly error: AgentError };

/**
 * Takes in a new machine: uses up its token and stores the public key that identifies the machine from then on. A machine that asks again
 * with the same key gets the same id, even after its token is used up.
 */
export async function join(ctx: Context, { token, name, publicKey }: JoinRequest): Promise<Answer<JoinAnswer>> {
  if (!isEd25519(publicKey)) {
    return refused(400, 'bad-key', 'The public key is not an Ed25519 key in SPKI DER, base64');
  }
  const id = ctx.ids.uuid();
  const outcome = await ctx.store.joinMachine({
    id,
    name,
    publicKey,
    tokenSha256: sha256(token),
    now: ctx.clock.now(),
    audit: joined(ctx, { id, name, token: sha256(token).slice(0, 8) }),
  });
  switch (outcome.kind) {
    case 'joined':
      ctx.log('info', `The machine "${name}" joined`, { machineId: outcome.machineId });
      return { kind: 'ok', value: { machineId: outcome.machineId } };
    case 'bad-token':
      return refused(
        401,
        'bad-token',
        'The join token is wrong, used or expired: make a new one with "drover machine invite"',
      );
    default:
      return refused(409, 'name-taken', `Another machine has the name "${name}": choose one with --name`);
  }
}

/** Builds the audit row of a machine that joins: it names the join token. */
function joined(ctx: Context, { id, name, token }: { id: string; name: string; token: string }): NewAudit {
  const by = { kind: 'machine' as const, id, name };
  return audited({ at: ctx.clock.now(), by, action: 'machine-joined', about: `machine ${name}`, details: { token } });
}

/**
 * Gives a machine the nonce that its next hello must sign, and proves the coordinator's identity. Stores nothing, so other callers take
 * nothing from the machine; an unknown id gets the same kind of answer.
 */
export async function challenge(ctx: Context, request: ChallengeRequest): Promise<Answer<ChallengeAnswer>> {
  const { machineId, url } = request;
  if (!isOwnUrl(ctx, url)) return otherUrl(url);
  const { identity, ids, clock, store } = ctx;
  const epoch = (await store.readMachine(machineId))?.epoch ?? null;
  const nonce = identity.challenge({ machineId, epoch }, { now: clock.now(), random: ids.secret() });
  const signature = identity.sign(challengeMessage(request, nonce));
  return { kind: 'ok', value: { nonce, coordinator: identity.id, signature } };
}

/** Raises the machine's epoch: from now on its older connections are refused. */
export async function hello(ctx: Context, request: HelloRequest): Promise<Answer<HelloAnswer>> {
  const { machineId, coordinator, url, nonce } = request;
  if (coordinator !== ctx.identity.id) {
    return refused(
      409,
      'other-coordinator',
      `The machine expects the coordinator ${coordinator}, but this is ${ctx.identity.id}`,
    );
  }
  if (!isOwnUrl(ctx, url)) return otherUrl(url);
  const machine = await ctx.store.readMachine(machineId);
  const publicKey = machine === null ? null : provenKey(machine, request);
  // A wrong key and an unknown id get the same words: a stranger does not learn which ids exist.
  if (machine === null || publicKey === null) return unknownMachine(machineId);
  if (machine.revokedAt !== null) return revoked(machine);
  const now = ctx.clock.now();
  if (!ctx.identity.isChallenge(nonce, { machineId, epoch: machine.epoch }, now)) return staleChallenge();
  const turn = ctx.hellos?.ask(machineId);
  if (turn?.kind === 'later') return comeBack(turn.afterMs);
  try {
    return await greet(ctx, { request, machine, publicKey, now });
  } finally {
    turn?.done();
  }
}

/** A machine that has proved its identity. */
interface Proven {
  readonly request: HelloRequest;
  readonly machine: Machine;
  /** Key that identifies the machine from now on. */
  readonly publicKey: string;
  readonly now: number;
}

async function greet(ctx: Context, { request, machine, publicKey, now }: Proven): Promise<Answer<HelloAnswer>> {
  const { machineId, url } = request;
  const accessToken = ctx.ids.secret();
  const expiresAt = now + ACCESS_TOKEN_TTL_MS;
  // A new buffer means another journal: another gateway's, or a new one in place of a lost one. The new journal does not hold the commands
  // that were sent. Runs before the new epoch is stored, so that a coordinator that crashes here leaves nothing; and once more for commands
  // sent meanwhile.
  const isAnother = machine.agentEpoch !== null && machine.agentEpoch !== request.agentEpoch;
  if (isAnother) await concludeSentCommands(ctx, machine);
  const greeted = await ctx.store.hello({
    machineId,
    epoch: machine.epoch,
    publicKey,
    rotated: publicKey !== machine.publicKey,
    dialledUrl: url,
    agentEpoch: request.agentEpoch,
    version: request.version,
    facts: { ...request.facts, protocol: request.proto },
    places: request.places,
    accessTokenSha256: sha256(accessToken),
    accessTokenExpiresAt: expiresAt,
    now,
  });
  if (greeted === null) return staleChallenge();
  if (isAnother) await concludeSentCommands(ctx, greeted);
  await ctx.store.resendCommands(machine.id, isAnother ? 'all' : 'unacknowledged');
  ctx.log('info', `The machine "${machine.name}" connected`, { epoch: greeted.epoch, url });
  if (publicKey !== machine.publicKey) ctx.log('info', `The machine "${machine.name}" has a new key`);
  ctx.fleetSize.machines = await ctx.store.countMachines();
  const [workers, profiles] = [await workersOn(ctx, greeted), await profilesFor(ctx, greeted.id)];
  const rotate = greeted.rotateSince !== null;
  return {
    kind: 'ok',
    value: {
      accessToken,
      expiresAt,
      epoch: greeted.epoch,
      serverTime: now,
      publicKey,
      rotate,
      workers,
      profiles,
      lacks: [...lackedBy(request.proto)],
    },
  };
}

async function workersOn(ctx: Context, machine: Machine): Promise<HelloAnswer['workers']> {
  const [workers, projects] = await Promise.all([
    ctx.store.listWorkers({ machineId: machine.id }),
    ctx.store.listProjects(),
  ]);
  const byId = new Map(projects.map((project) => [project.id, project]));
  return workers.flatMap((worker) => {
    const project = byId.get(worker.projectId);
    return project === undefined ? [] : [workerSettings(worker, placed(project, machine))];
  });
}

/**
 * Picks the key of the machine after this hello: the present one, or the next one if it is wanted and both have signed. @returns null
 * when the machine has not proved its identity.
 */
function provenKey(machine: Machine, request: HelloRequest): string | null {
  const message = helloMessage(request);
  const { signature, next } = request;
  const isNextProven = next !== null && isSigned(next.publicKey, { message, signature: next.signature });
  // The answer to the hello that brought the new key was lost: the machine still shows both.
  if (next?.publicKey === machine.publicKey) return isNextProven ? machine.publicKey : null;
  if (!isSigned(machine.publicKey, { message, signature })) return null;
  return isNextProven && machine.rotateSince !== null ? next.publicKey : machine.publicKey;
}

function isSigned(publicKey: string, { message, signature }: { message: string; signature: string }): boolean {
  if (!isEd25519(publicKey)) return false;
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  return verify(null, Buffer.from(message), key, Buffer.from(signature, 'base64'));
}

function isEd25519(publicKey: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

function isOwnUrl({ hosts }: Context, url: string): boolean {
  return hosts === undefined || isOwnAddress(url, hosts);
}

function otherUrl(url: string): Answer<never> {
  const message = `${quoted(url)} is not an address of this coordinator: give the agent one of its addresses, or add that host to "coordinator.allowed_hosts"`;
  return refused(403, 'other-url', message);
}

/** Answers with a wait, which is no failure: the machine stays with this replica, which keeps the machine's turn. */
function comeBack(afterMs: number): Answer<never> {
  const message = `Many machines connect at once: this one may connect in ${(afterMs / 1_000).toFixed(1)} s`;
  return { kind: 'refused', status: 429, error: { code: 'come-back', message, retryAfterMs: afterMs } };
}

function staleChallenge(): Answer<never> {
  return refused(401, 'nonce-expired', 'The challenge was already used or is too old: ask for a new one');
}

function revoked({ name }: Machine): Answer<never> {
  const message = `The machine "${name}" was revoked: it can join again with a new token of "drover machine invite"`;
  return refused(403, 'machine-revoked', message);
}

function unknownMachine(machineId: string): Answer<never> {
  const message = `No machine ${machineId} with this key has joined here: join again with a new token`;
  return refused(404, 'unknown-machine', message);
}

type Status = 400 | 401 | 403 | 404 | 409 | 426 | 429;

/** Refuses a peer of another protocol version; null when the version fits. A stranger that has not proved its key learns no kind by its id. */
export function refusedVersion(
  { minVersion = PROTOCOL_VERSION_MIN }: Pick<Context, 'minVersion'>,
  proto: string,
  who: 'agent or gateway' | 'gateway' = 'agent or gateway',
): Extract<Answer<never>, { kind: 'refused' }> | null {
  const isOld = isTooOld(proto, minVersion);
  if (speaks(proto) && !isOld) return null;
  const spoken = `The ${who} speaks protocol ${quoted(proto)}, this coordinator ${minVersion} to ${PROTOCOL_VERSION}`;
  const how =
    who === 'gateway'
      ? `Upgrade the gateway: ${UPGRADE_GATEWAY}`
      : `Upgrade it. An agent: ${UPGRADE_AGENT}. A gateway: ${UPGRADE_GATEWAY}`;
  const message = isOld ? `${spoken}. ${how}` : `${spoken}: upgrade the coordinator first`;
  return refused(426, 'version', message);
}

function refused(status: Status, code: string, message: string): Extract<Answer<never>, { kind: 'refused' }> {
  return { kind: 'refused', status, error: { code, message } };
}
