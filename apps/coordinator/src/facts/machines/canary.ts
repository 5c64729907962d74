/** Finds versions of agent programs on machines that no trial has seen, and that are not proven in the fleet so far. */
import { unproven, type Compared, type Policy } from '@drover/core';
import type { Machine, RosterRow } from '@drover/store';

/** Version of a profile's program, with the comparisons of the whole fleet. */
export interface Unproven extends Compared {
  readonly profile: string;
  readonly version: string;
}

/** Lists the unproven versions on a machine. Reports hold until the next: a version does not become right because its machine is silent. */
export function unprovenOn(
  machine: Pick<Machine, 'condition'>,
  machines: readonly Pick<Machine, 'condition'>[],
  policy: Policy,
): readonly Unproven[] {
  return untriedOn(machine).flatMap(({ profile, version }) => {
    const same = machines.flatMap(untriedOn).filter((one) => one.profile === profile && one.version === version);
    const found = unproven(same, policy);
    return found === null ? [] : [{ profile, version, ...found }];
  });
}

/** Words an unproven version, after the name of its machine. */
export function tellUnproven({ profile, version, turns, disagreements }: Unproven, { canary }: Policy): string {
  const wrong = disagreements === 0 ? '' : `, and ${disagreements} disagreement(s) seen`;
  return `runs ${profile} ${version}, which no trial has seen: one task at a time until ${canary.turns} turns are read right (${turns} so far${wrong})`;
}

/** Tells why a worker gets no task now: another one is at work with the same unproven version. Null: it can get one. */
export function whyNotYet(
  { id, machineId, options: { profile } }: Pick<RosterRow, 'id' | 'machineId' | 'options'>,
  {
    machines,
    workers,
  }: {
    readonly machines: readonly Pick<Machine, 'id' | 'condition'>[];
    readonly workers: readonly Pick<RosterRow, 'id' | 'name' | 'machineId' | 'options' | 'state'>[];
  },
  policy: Policy,
): string | null {
  const at = machines.find((machine) => machine.id === machineId);
  const mine = at === undefined ? undefined : unprovenOn(at, machines, policy).find((one) => one.profile === profile);
  if (mine === undefined) return null;
  const has = new Set(
    machines
      .filter((machine) => untriedOn(machine).some((one) => one.profile === profile && one.version === mine.version))
      .map((machine) => machine.id),
  );
  const other = workers.find(
    (one) =>
      one.id !== id &&
      one.options.profile === profile &&
      has.has(one.machineId) &&
      one.state.lifecycle.status === 'working',
  );
  if (other === undefined) return null;
  return `would be the second at work with ${profile} ${mine.version}, which no trial has seen: ${other.name} is the first`;
}

function untriedOn({ condition }: Pick<Machine, 'condition'>): readonly Unproven[] {
  const programs = condition?.programs ?? [];
  return programs.flatMap(({ name, untried }) => (untried === undefined ? [] : [{ profile: name, ...untried }]));
}
