/** Joins this machine to a coordinator, verifies that it is the right one, and says hello to it. */
import type { Log } from '@drover/base';
import {
  helloMessage,
  PROTOCOL_VERSION,
  readInvitation,
  type HelloAnswer,
  type HelloRequest,
  type Invitation,
} from '@drover/protocol';
import type { MachineKeys } from '../identity/machine-key.ts';
import type { AgentDatabase } from '../store/database.ts';
import type { CoordinatorApi } from './api.ts';
import { isProvenBy } from './coordinator-proof.ts';
import { SyncError } from './errors.ts';

/** Parts for a hello. */
export interface Identity {
  readonly db: AgentDatabase;
  readonly keys: MachineKeys;
  readonly machineName: string;
  readonly joinToken: string | undefined;
  readonly agentEpoch: string;
  readonly version: string;
  readonly facts: () => Promise<HelloRequest['facts']>;
  /** Directories for checkouts here; null: a gateway has none. */
  readonly places: HelloRequest['places'];
  /** Makes something new each time, for a question whose answer cannot be an old one. */
  readonly salt: () => string;
  readonly log: Log;
}

const MACHINE = 'machine-id';
/** Name of the fact with this machine's coordinator, pinned when the machine joins. */
const COORDINATOR = 'coordinator';

/**
 * Adopts the identity of a machine for a gateway, which speaks for it because the machine did not join by itself: pins the coordinator that
 * assigned it.
 */
export function adoptIdentity(
  db: AgentDatabase,
  { machineId, coordinator }: { readonly machineId: string; readonly coordinator: string },
): void {
  db.transaction(() => {
    db.setFact(MACHINE, machineId);
    db.setFact(COORDINATOR, coordinator);
  });
}

/** Finds the pinned coordinator. @throws Error before anything has joined by this database. */
export function coordinatorOf(db: AgentDatabase): string {
  const pinned = db.maybeFact(COORDINATOR);
  if (pinned === undefined) throw new Error('No coordinator is pinned: the gateway has not joined yet');
  return pinned;
}

/**
 * Verifies the coordinator, joins if need be, then proves the identity of this machine.
 *
 * @throws SyncError `other-coordinator`; `unknown-machine` when it was forgotten and cannot join again; `machine-revoked`; `join-refused`;
 * `version-refused`.
 */
export async function sayHello(api: CoordinatorApi, identity: Identity): Promise<HelloAnswer> {
  const { db } = identity;
  const invitation = invitationOf(identity);
  const pinned = db.maybeFact(COORDINATOR);
  const known = db.maybeFact(MACHINE);
  if (known === undefined && identity.joinToken === undefined) throw notJoined(api);
  // A token for another coordinator than the pinned one: perhaps the machine moves to another fleet.
  const mayMove = pinned !== undefined && invitation !== null && invitation.coordinator !== pinned;
  if (known === undefined || mayMove) {
    const { coordinator } = await challenge(api, { identity, machineId: identity.agentEpoch });
    if (known === undefined || coordinator !== pinned) {
      return joinAndGreet(api, identity, { coordinator, invitation });
    }
  }
  try {
    return await greet(api, { identity, machineId: known });
  } catch (error) {
    const code = error instanceof SyncError ? error.code : null;
    if ((code !== 'unknown-machine' && code !== 'machine-revoked') || invitation === null) throw error;
    return joinAgain(api, identity, { invitation, refusal: error });
  }
}

interface Invited {
  readonly coordinator: string;
  readonly invitation: Invitation | null;
}

async function joinAndGreet(
  api: CoordinatorApi,
  identity: Identity,
  { coordinator, invitation }: Invited,
): Promise<HelloAnswer> {
  if (invitation === null) {
    const message = 'The join token is incomplete: copy all that "drover machine invite" printed, or make a new one';
    throw new SyncError('join-refused', message);
  }
  // The secret of the token is for the coordinator that made it, and for no other.
  if (coordinator !== invitation.coordinator) {
    throw refusedCoordinator(api, { answers: coordinator, expected: expectedBy(identity) ?? invitation.coordinator });
  }
  const machineId = await join(api, identity, invitation);
  return greet(api, { identity, machineId });
}

/** Joins again with the token: the machine was removed, or revoked and invited since. */
async function joinAgain(
  api: CoordinatorApi,
  identity: Identity,
  { invitation, refusal }: { invitation: Invitation; refusal: unknown },
): Promise<HelloAnswer> {
  const { coordinator } = await challenge(api, { identity, machineId: identity.agentEpoch });
  if (coordinator !== invitation.coordinator) throw refusal;
  const machineId = await join(api, identity, invitation).catch((error: unknown) => {
    // A used token says nothing new.
    throw error instanceof SyncError && error.code === 'join-refused' ? refusal : error;
  });
  return greet(api, { identity, machineId });
}

async function join(api: CoordinatorApi, identity: Identity, { secret, coordinator }: Invitation): Promise<string> {
  const { db, keys, machineName, log } = identity;
  const { publicKey } = keys.current;
  const { machineId } = await api.join({ proto: PROTOCOL_VERSION, token: secret, name: machineName, publicKey });
  db.transaction(() => {
    db.setFact(MACHINE, machineId);
    db.setFact(COORDINATOR, coordinator);
  });
  log('info', `Joined ${api.url} as machine ${machineId} ("${machineName}"); the coordinator is ${coordinator}`);
  return machineId;
}

/** Says hello, and once more with both keys if a new key is wanted. */
async function greet(api: CoordinatorApi, about: { identity: Identity; machineId: string }): Promise<HelloAnswer> {
  const { keys, log } = about.identity;
  const answer = await hello(api, about);
  if (!answer.rotate || keys.next !== null) return answer;
  keys.makeNext();
  log(
    'info',
    'The coordinator asks for a new key of this machine; the agent makes one and presents it with the present one',
  );
  return hello(api, about);
}

async function hello(
  api: CoordinatorApi,
  { identity, machineId }: { identity: Identity; machineId: string },
): Promise<HelloAnswer> {
  const { agentEpoch, version, keys } = identity;
  const { nonce, coordinator } = await challenge(api, { identity, machineId });
  trust(api, { identity, coordinator });
  const { current, next } = keys;
  const url = api.url;
  const message = helloMessage({ machineId, nonce, agentEpoch, coordinator, url, next });
  const answer = await api.hello({
    machineId,
    nonce,
    coordinator,
    url,
    signature: current.sign(message),
    next: next === null ? null : { publicKey: next.publicKey, signature: next.sign(message) },
    agentEpoch,
    proto: PROTOCOL_VERSION,
    version,
    facts: await identity.facts(),
    places: identity.places,
  });
  keys.settle(answer.publicKey);
  if (answer.lacks.length > 0)
    identity.log('warn', `This agent is older than its coordinator and may lack: ${answer.lacks.join('; ')}`);
  return answer;
}

/** Verifies the coordinator at this address. @throws SyncError `bad-answer` when the answer does not prove it. */
async function challenge(
  api: CoordinatorApi,
  { identity, machineId }: { identity: Identity; machineId: string },
): Promise<{ readonly nonce: string; readonly coordinator: string }> {
  const question = { proto: PROTOCOL_VERSION, machineId, url: api.url, salt: identity.salt() };
  const answer = await api.challenge(question);
  if (isProvenBy(answer, question)) return answer;
  const message = `"${api.url}" claims to be the coordinator ${answer.coordinator} but cannot prove it: check the address`;
  throw new SyncError('bad-answer', message);
}

/** Pins the coordinator at the first hello. */
function trust(api: CoordinatorApi, { identity, coordinator }: { identity: Identity; coordinator: string }): void {
  const { db, log } = identity;
  const expected = expectedBy(identity);
  if (expected !== undefined && expected !== coordinator) {
    throw refusedCoordinator(api, { answers: coordinator, expected });
  }
  if (db.maybeFact(COORDINATOR) === coordinator) return;
  db.setFact(COORDINATOR, coordinator);
  log('info', `This machine now accepts only the coordinator ${coordinator}, which answers at ${api.url}`);
}

function expectedBy(identity: Identity): string | undefined {
  return identity.db.maybeFact(COORDINATOR) ?? invitationOf(identity)?.coordinator;
}

function invitationOf({ joinToken }: Identity): Invitation | null {
  return joinToken === undefined ? null : readInvitation(joinToken);
}

function notJoined({ url }: CoordinatorApi): SyncError {
  const what = 'make a token with "drover machine invite" and start the agent with it';
  return new SyncError('unknown-machine', `This machine has not joined "${url}": ${what}`);
}

function refusedCoordinator(
  { url }: CoordinatorApi,
  { answers, expected }: { answers: string; expected: string },
): SyncError {
  const message =
    `"${url}" is another coordinator than the one that this machine belongs to: ${answers} answers, ${expected} is expected. ` +
    'Check the address. If the fleet was set up from nothing, or the machine shall move to this one, join it with a new token ' +
    'of "drover machine invite"; otherwise somebody may stand between';
  return new SyncError('other-coordinator', message);
}
