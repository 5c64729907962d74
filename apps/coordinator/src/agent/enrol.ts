/** How does a machine join, and how does it prove at each connection that it is the one that joined? */
import { createPublicKey, hash, verify } from 'node:crypto';
import { helloMessage, PROTOCOL_VERSION_MIN, speaks } from '@drover/protocol';
import type { AgentError, ChallengeAnswer, HelloAnswer, HelloRequest, JoinAnswer, JoinRequest } from '@drover/protocol';
import type { Machine } from '@drover/store';
import type { Context } from '../use-cases/context.ts';
import { seatOf } from '../use-cases/seat.ts';

/** A nonce must come back signed within this time, in milliseconds. */
const NONCE_TTL_MS = 60_000;
/** An access token is good for this long, in milliseconds. Source: docs/architecture.md, security. */
export const ACCESS_TOKEN_TTL_MS = 15 * 60_000;

/** What an agent route answers; `status` is the HTTP status. */
export type Answer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'refused'; readonly status: 400 | 401 | 404 | 409 | 426; readonly error: AgentError };

/** Secrets are stored as their SHA-256 only. */
export function sha256(secret: string): string {
  return hash('sha256', secret);
}

/**
 * Takes a new machine in: its token is used up, its public key is what it is known by from now on. A machine that asks
 * again with the same key is given the same id, whatever became of its token.
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
  });
  switch (outcome.kind) {
    case 'joined':
      ctx.log('info', `The machine "${name}" joined`, { machineId: outcome.machineId });
      return { kind: 'ok', value: { machineId: outcome.machineId } };
    case 'bad-token':
      return refused(
        401,
        'bad-token',
        'The join token is wrong, used or expired: make a new one with "drover machines invite"',
      );
    default:
      return refused(409, 'name-taken', `Another machine has the name "${name}": choose one with --name`);
  }
}

/** Gives a machine the nonce that its next hello must sign. A newer nonce replaces an older one. */
export async function challenge(ctx: Context, machineId: string): Promise<Answer<ChallengeAnswer>> {
  const nonce = ctx.ids.secret();
  const known = await ctx.store.setNonce(machineId, { value: nonce, expiresAt: ctx.clock.now() + NONCE_TTL_MS });
  return known ? { kind: 'ok', value: { nonce } } : unknownMachine(machineId);
}

/** Raises the machine's epoch: from now on its older connections are refused. */
export async function hello(ctx: Context, request: HelloRequest): Promise<Answer<HelloAnswer>> {
  if (!speaks(request.proto)) {
    const message = `The agent speaks protocol ${request.proto}, this coordinator ${PROTOCOL_VERSION_MIN} or newer: update the older of the two`;
    return refused(426, 'version', message);
  }
  const machine = await ctx.store.readMachine(request.machineId);
  if (machine === null) return unknownMachine(request.machineId);
  if (!isSigned(machine, request)) {
    return refused(401, 'bad-signature', `The signature is not that of the machine "${machine.name}"`);
  }
  const accessToken = ctx.ids.secret();
  const now = ctx.clock.now();
  const expiresAt = now + ACCESS_TOKEN_TTL_MS;
  const greeted = await ctx.store.hello({
    machineId: machine.id,
    nonce: request.nonce,
    agentEpoch: request.agentEpoch,
    version: request.version,
    facts: request.facts,
    accessTokenSha256: sha256(accessToken),
    accessTokenExpiresAt: expiresAt,
    now,
  });
  if (greeted === null) return refused(401, 'nonce-expired', 'The nonce was used or is too old: ask for a new one');
  // A new buffer means a lost journal: what the machine had been given, it does not know any more.
  const lost = machine.agentEpoch !== null && machine.agentEpoch !== request.agentEpoch;
  await ctx.store.resendCommands(machine.id, lost ? 'all' : 'unacknowledged');
  ctx.log('info', `The machine "${machine.name}" said hello`, { epoch: greeted.epoch });
  ctx.fleetSize.machines = (await ctx.store.listMachines()).length;
  const [seats, { revision, documents }] = [await seatsOf(ctx, machine.id), await ctx.store.readProfiles()];
  const profiles = { revision, documents: documents.map(({ name, document }) => ({ name, document })) };
  return { kind: 'ok', value: { accessToken, expiresAt, epoch: greeted.epoch, serverTime: now, seats, profiles } };
}

async function seatsOf(ctx: Context, machineId: string): Promise<HelloAnswer['seats']> {
  const [workers, projects] = await Promise.all([ctx.store.listWorkers({ machineId }), ctx.store.listProjects()]);
  const byId = new Map(projects.map((project) => [project.id, project]));
  return workers.flatMap((worker) => {
    const project = byId.get(worker.projectId);
    return project === undefined ? [] : [seatOf(worker, project)];
  });
}

function isSigned(machine: Machine, { machineId, nonce, agentEpoch, signature }: HelloRequest): boolean {
  if (machine.nonce?.value !== nonce) return false;
  const key = createPublicKey({ key: Buffer.from(machine.publicKey, 'base64'), format: 'der', type: 'spki' });
  const message = Buffer.from(helloMessage({ machineId, nonce, agentEpoch }));
  return verify(null, message, key, Buffer.from(signature, 'base64'));
}

function isEd25519(publicKey: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

function unknownMachine(machineId: string): Answer<never> {
  return refused(404, 'unknown-machine', `No machine ${machineId} has joined here: join again with a new token`);
}

function refused(status: 400 | 401 | 404 | 409 | 426, code: string, message: string): Answer<never> {
  return { kind: 'refused', status, error: { code, message } };
}
