// Hosts whose key changes until a person has looked, and gateways that a person takes out and lets in again. With a chance of its own.
import type { Fleet } from '@drover/api';
import { fingerprintOf } from '@drover/host/ssh';
import { SeededRandom } from '@drover/testkit';
import type { SimGateway } from '../machine/sim-gateway.ts';
import type { SimMachine } from '../machine/sim-machine.ts';
import { insist, PERSON } from '../people/people.ts';
import type { Scene } from '../scene.ts';

/** Schedules per schedule with such trouble. */
const TROUBLE_EVERY = 9;

/** Tells whether gateways are revoked, keys change, and some hosts are for one gateway alone. */
export function hasTrustTrouble(seed: number): boolean {
  return seed % TROUBLE_EVERY === 7;
}

export interface TrustTroubleParts extends Pick<Scene, 'seed' | 'time' | 'tally' | 'checker' | 'replicas'> {
  readonly gateways: readonly SimGateway[];
  /** Tells whether faults are over. */
  readonly isOver: () => boolean;
}

/** Milliseconds between two of them, and until a person has looked, at most. */
const PACE_MS = 40_000;
const COMES_AFTER_MS = 60_000;
/** Milliseconds for which an invitation is valid. */
const TTL_MS = 60 * 60_000;

/** Troubles trust until faults are over, and all is as it was. */
export async function troubleTrust(parts: TrustTroubleParts): Promise<void> {
  const { seed, time, isOver, gateways } = parts;
  const random = new SeededRandom(seed * 67_867_979 + 41);
  while (!isOver()) {
    await time.sleep(random.int(500, PACE_MS));
    if (isOver()) return;
    const gateway = random.pick(gateways);
    if (random.chance(0.5)) await changeKey(parts, random, random.pick(gateway.parts.ways).host);
    else await revoke(parts, random, gateway);
  }
}

/** The host is set up again. Later a person compares the key that it shows, and confirms it. */
async function changeKey(parts: TrustTroubleParts, random: SeededRandom, host: SimMachine): Promise<void> {
  const { time, tally, checker } = parts;
  const { name } = host;
  host.changeKey();
  tally.fault('host-key-changed', name);
  await time.sleep(random.int(100, COMES_AFTER_MS));
  checker.gateways.confirms(name, host.hostKey);
  const fingerprint = fingerprintOf(host.hostKey);
  const trusts = (fleet: Fleet): Promise<{ readonly kind: string }> =>
    fleet.trustMachine({ name, fingerprint }, PERSON);
  if (await insist(parts, `trusts ${name}`, trusts)) tally.fault('note: a person has confirmed a key', name);
}

/** A person takes a gateway out. Later it is invited, and joins again. */
async function revoke(parts: TrustTroubleParts, random: SeededRandom, gateway: SimGateway): Promise<void> {
  const { time, tally } = parts;
  const { name } = gateway.parts;
  if (!(await insist(parts, `revokes ${name}`, (fleet) => fleet.revokeMachine({ name }, PERSON)))) return;
  tally.fault('gateway-revoked', name);
  await time.sleep(random.int(100, COMES_AFTER_MS));
  let token = '';
  await insist(parts, `invites ${name}`, async (fleet) => {
    ({ token } = await fleet.invite({ ttlMs: TTL_MS, gateway: true }, PERSON));
    return { kind: 'ok' };
  });
  gateway.joinAgain(token);
}
