/** The state of a machine, by how long it has been silent. */
import type { Machine } from '@drover/store';

/** How long a machine may be silent. Source of the defaults: docs/mechanics.md, leases. */
export interface Leases {
  /** Silent for this long, in milliseconds, it is suspect: new work goes elsewhere. */
  readonly suspectAfterMs: number;
  /** Silent for this long, in milliseconds, it is disconnected: people are asked about its workers. */
  readonly disconnectedAfterMs: number;
}

/** Leases of a coordinator whose configuration says nothing. */
export const DEFAULT_LEASES: Leases = { suspectAfterMs: 30_000, disconnectedAfterMs: 90_000 };

/** Signs of life of an idle machine within the time after which it is suspect, so that a few may be lost. */
const SIGNS_IN_A_LEASE = 6;

/** When a machine is judged, epoch milliseconds, and by which leases. */
export interface Judged {
  readonly now: number;
  readonly leases: Leases;
}

/** Every state of a machine; `never` has not said hello yet, `revoked` is refused. */
export const MACHINE_STATES = ['connected', 'suspect', 'disconnected', 'never', 'revoked'] as const;
/** One of `MACHINE_STATES`. */
export type MachineState = (typeof MACHINE_STATES)[number];

/** The state of a machine. Its times are the coordinator's, epoch milliseconds. */
export function machineState(
  machine: (Pick<Machine, 'lastSeenAt' | 'revokedAt'> & Partial<Pick<Machine, 'ssh'>>) | null | undefined,
  { now, leases }: Judged,
): MachineState {
  if (machine == null || machine.lastSeenAt === null) return machine?.revokedAt == null ? 'never' : 'revoked';
  const { lastSeenAt, revokedAt } = machine;
  if (revokedAt !== null) return 'revoked';
  const silentMs = now - lastSeenAt;
  // Its gateway knows sooner than its silence tells.
  const isLost = machine.ssh != null && machine.ssh.state?.kind !== 'connected';
  if (silentMs < leases.suspectAfterMs && !isLost) return 'connected';
  return silentMs < leases.disconnectedAfterMs ? 'suspect' : 'disconnected';
}

/** The longest time between two signs of life of an idle machine in a small fleet, in milliseconds: 5 s by default. */
export function signOfLifeMs({ suspectAfterMs }: Leases): number {
  return Math.round(suspectAfterMs / SIGNS_IN_A_LEASE);
}
