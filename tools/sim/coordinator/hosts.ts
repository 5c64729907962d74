// The machines of a schedule on which nothing of Drover is installed, and the two gateways that may reach them. With a chance of its own.
import type { Leases } from '@drover/coordinator/testing';
import { invitationText } from '@drover/protocol';
import { SeededRandom } from '@drover/testkit';
import { hasTrustTrouble } from '../faults/trust.ts';
import { Wire } from '../machine/link.ts';
import { SimGateway } from '../machine/sim-gateway.ts';
import { insist, PERSON } from '../people/people.ts';
import type { Scene } from '../scene.ts';
import { FLEET, GATEWAY_KEYS } from './keys.ts';
import { HOST_LEASES } from './policy.ts';

/** Schedules per schedule with hosts. */
const HOSTS_EVERY = 3;
/** Milliseconds by which trouble lasts longer then. */
const LONGER_MS = 30_000;
/** A machine that has no repository is such a host this often, where there are some. */
const SHARE = 0.7;

/** A host is for one gateway alone this often, where people have trouble with gateways and keys. */
const ONE_GATEWAY = 0.3;
/** Parts that hosts and gateways are made of. */
export type HostParts = Pick<
  Scene,
  'seed' | 'time' | 'tally' | 'checker' | 'network' | 'replicas' | 'machines' | 'projects' | 'uuid'
>;

/** Changes the leases and the length of trouble for a schedule that may have hosts. */
export function termsOfHosts(seed: number, mayHave: boolean): { readonly leases?: Leases; readonly longerMs: number } {
  return mayHave && seed % HOSTS_EVERY === 1 ? { leases: HOST_LEASES, longerMs: LONGER_MS } : { longerMs: 0 };
}

/** Connects hosts with gateways. @returns the gateways; none where every machine has an agent of its own. */
export function drawGateways(parts: HostParts): readonly SimGateway[] {
  const { seed, time, checker, network, machines, projects, uuid } = parts;
  if (seed % HOSTS_EVERY !== 1) return [];
  const random = new SeededRandom(seed * 160_481_183 + 31);
  const hosts = machines.filter((_, index) => !projects.some(({ home }) => home === index) && random.chance(SHARE));
  if (hosts.length === 0) return [];
  return GATEWAY_KEYS.map(([keys, ...hostKeys], index) => {
    const name = `g${index}`;
    if (keys === undefined) throw new Error(`There is no key for ${name}`);
    const ways = hosts.map((host) => {
      const wire = new Wire(time, random);
      host.wires.push(wire);
      return { host, wire };
    });
    return new SimGateway({
      name,
      time,
      random,
      watch: checker,
      keys,
      hostKeys,
      joinToken: invitationText({ secret: name, coordinator: FLEET.id }),
      coordinator: FLEET.id,
      urls: network.urlsFor(index),
      postFor: (machine) => network.postFrom(machine, name),
      uuid,
      ways,
    });
  });
}

/** A person adds the hosts, as with `drover machine add`. */
export async function addHosts({ seed, time, tally, replicas, machines }: HostParts): Promise<void> {
  const random = new SeededRandom(seed * 86_028_121 + 37);
  for (const { name, wires } of machines) {
    if (wires.length === 0) continue;
    const connection = { destination: name, port: null, identity: null, jump: null, carrier: null };
    // Hosts may belong to one gateway alone.
    const gateway = hasTrustTrouble(seed) && random.chance(ONE_GATEWAY) ? 'g1' : null;
    if (gateway !== null) tally.fault('note: a host is for one gateway alone', name);
    const input = { name, connection, gateway, hostKey: null, capacity: null, labels: [] };
    await insist({ replicas, tally, time }, `adds ${name}`, (fleet) => fleet.addMachine(input, PERSON));
    tally.fault('note: a host is added', name);
  }
}
