// Troubles gateways and the wires to their hosts now and then, with a chance of its own.
import { SeededRandom } from '@drover/testkit';
import type { Scene } from '../scene.ts';
import { hasTrustTrouble, troubleTrust, type TrustTroubleParts } from './trust.ts';

/** Weights by kind: the more, the more often. */
const TROUBLES = {
  'gateway-killed': 3,
  'gateway-stopped': 3,
  'gateway-leaves': 1,
  'gateway-cut-off': 2,
  'link-cut': 3,
  'link-stuck': 3,
  'link-late': 3,
  'host-reboot': 1,
} as const;

/** Milliseconds that each trouble lasts: some longer than a lease, so that another gateway takes over. */
const LASTS_MS: Readonly<Record<keyof typeof TROUBLES, readonly number[]>> = {
  'gateway-killed': [1_000, 10_000, 60_000],
  'gateway-stopped': [2_000, 20_000, 45_000, 70_000],
  'gateway-leaves': [1_000, 20_000],
  'gateway-cut-off': [5_000, 40_000, 60_000],
  'link-cut': [200, 5_000, 40_000],
  'link-stuck': [2_000, 14_000, 30_000],
  'link-late': [10_000, 30_000],
  'host-reboot': [5_000, 40_000],
};

/** Milliseconds between two of them, at most. */
const PACE_MS = 16_000;

export type GatewayTroubleParts = TrustTroubleParts & Pick<Scene, 'network'>;

/** Troubles gateways until faults are over. */
export async function troubleGateways(parts: GatewayTroubleParts): Promise<void> {
  const { seed, time, isOver } = parts;
  if (hasTrustTrouble(seed)) void troubleTrust(parts);
  const random = new SeededRandom(seed * 141_650_939 + 29);
  while (!isOver()) {
    await time.sleep(random.int(500, PACE_MS));
    if (!isOver()) troubleOnce(parts, random);
  }
}

function troubleOnce({ tally, network, gateways }: GatewayTroubleParts, random: SeededRandom): void {
  const kind = random.weighted(TROUBLES);
  const gateway = random.pick(gateways);
  const { host, wire } = random.pick(gateway.parts.ways);
  const longest = random.pick(LASTS_MS[kind]);
  const ms = random.int(longest / 2, longest);
  const { name } = gateway.parts;
  tally.fault(kind, `${name} ${kind.startsWith('gateway') ? '' : host.name} for ${ms} ms`);
  switch (kind) {
    case 'gateway-killed':
      return gateway.crash(ms);
    case 'gateway-stopped':
      return gateway.stop(ms, random.chance(0.3));
    case 'gateway-leaves':
      return void gateway.leave(ms);
    case 'gateway-cut-off':
      return network.cutOff(name, ms);
    case 'link-cut':
      return wire.cut(ms);
    case 'link-stuck':
      return wire.stick(ms);
    case 'link-late':
      return wire.slowDown(ms);
    case 'host-reboot':
      return host.reboot(ms);
    default:
      return kind satisfies never;
  }
}
