/** Shows a machine to people. */
import type { MachineView } from '@drover/api';
import type { Policy } from '@drover/core';
import type { Machine } from '@drover/store';
import { sshView } from '../../facts/machines/ssh.ts';
import { tellUnproven, unprovenOn } from '../../facts/machines/canary.ts';
import { presentCondition, warningsOf } from '../../facts/machines/condition.ts';
import { machineState } from '../../context/leases.ts';
import type { Judged } from '../../context/leases.ts';
import { skewOf } from './skew.ts';

interface Viewing {
  /** Number of workers on the machine. */
  readonly workers: number;
  readonly judged: Judged;
  readonly policy: Policy;
  /** All machines, which prove versions of programs together. */
  readonly machines: readonly Machine[];
  /** Oldest version that is served; absent: every version that this build can serve. */
  readonly minVersion?: string | undefined;
}

/** Builds one row of `drover machine`. */
export function machineView(machine: Machine, { workers, judged, policy, machines, minVersion }: Viewing): MachineView {
  return {
    id: machine.id,
    name: machine.name,
    state: machineState(machine, judged),
    epoch: machine.epoch,
    version: machine.version,
    facts: machine.facts,
    workers,
    lastSeenAt: machine.lastSeenAt,
    dialledUrl: machine.dialledUrl,
    revokedAt: machine.revokedAt,
    rotateSince: machine.rotateSince,
    cordon: machine.cordon,
    labels: machine.labels,
    capacity: machine.capacity,
    address: machine.address,
    condition: machine.condition,
    ssh: machine.ssh === null ? null : sshView(machine.ssh, judged.now),
    warnings: [
      ...[skewOf(machine, { minVersion })].filter((words) => words !== null),
      ...warningsOf(presentCondition(machine, judged.now), policy),
      ...unprovenOn(machine, machines, policy).map((one) => tellUnproven(one, policy)),
    ],
  };
}
