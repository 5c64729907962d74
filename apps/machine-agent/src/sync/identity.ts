/** How does this machine become known to a coordinator, and say hello to it? */
import { helloMessage, PROTOCOL_VERSION, type HelloAnswer, type HelloRequest } from '@drover/protocol';
import type { MachineKey } from '../identity/machine-key.ts';
import type { Log } from '../options.ts';
import type { AgentDatabase } from '../store/database.ts';
import type { CoordinatorApi } from './api.ts';
import { SyncError } from './errors.ts';

/** What a hello needs. */
export interface Identity {
  readonly db: AgentDatabase;
  readonly key: MachineKey;
  readonly machineName: string;
  readonly joinToken: string | undefined;
  readonly agentEpoch: string;
  readonly version: string;
  readonly facts: () => Promise<HelloRequest['facts']>;
  readonly log: Log;
}

const MACHINE = 'machine-id';

/**
 * Joins if need be, then proves who this machine is.
 *
 * @throws SyncError `unknown-machine` when it was forgotten and cannot join anew; `join-refused`; `version-refused`.
 */
export async function sayHello(api: CoordinatorApi, identity: Identity): Promise<HelloAnswer> {
  const known = identity.db.maybeFact(MACHINE);
  const machineId = known ?? (await join(api, identity));
  try {
    return await hello(api, { identity, machineId });
  } catch (error) {
    const forgotten = error instanceof SyncError && error.code === 'unknown-machine' && known !== undefined;
    if (!forgotten || identity.joinToken === undefined) throw error;
    identity.log('warn', `The coordinator does not know machine ${machineId} any more; joining anew`);
    return hello(api, { identity, machineId: await join(api, identity) });
  }
}

async function join(api: CoordinatorApi, { db, key, machineName, joinToken, log }: Identity): Promise<string> {
  if (joinToken === undefined) {
    const what = 'make a token with "drover machines invite" and start the agent with it';
    throw new SyncError('unknown-machine', `This machine has not joined "${api.url}": ${what}`);
  }
  const { machineId } = await api.join({ token: joinToken, name: machineName, publicKey: key.publicKey });
  db.setFact(MACHINE, machineId);
  log('info', `Joined ${api.url} as machine ${machineId} ("${machineName}")`);
  return machineId;
}

async function hello(
  api: CoordinatorApi,
  { identity, machineId }: { identity: Identity; machineId: string },
): Promise<HelloAnswer> {
  const { agentEpoch, version, key } = identity;
  const { nonce } = await api.challenge(machineId);
  const signature = key.sign(helloMessage({ machineId, nonce, agentEpoch }));
  const facts = await identity.facts();
  return api.hello({ machineId, nonce, signature, agentEpoch, proto: PROTOCOL_VERSION, version, facts });
}
