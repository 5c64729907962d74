/** Derives the state of a machine from its silence. */
import type { Machine } from '@drover/store';

/** Milliseconds that a machine may be silent. Source of the defaults: docs/mechanics.md, leases. */
export interface Leases {
  /** Milliseconds of silence after which a machine is suspect: new work goes elsewhere. */
  readonly suspectAfterMs: number;
  /** Milliseconds of silence after which a machine is disconnected: people are asked about its workers. */
  readonly disconnectedAfterMs: number;
}

/** Leases of a coordinator whose configuration says nothing. */
export const DEFAULT_LEASES: Leases = { suspectAfterMs: 30_000, disconnectedAfterMs: 90_000 };

/** Signs of life of an idle machine within the time after which it is suspect, so that a few may be lost. */
const SIGNS_IN_A_LEASE = 6;

/** Time of the judgement, epoch milliseconds, and the leases that apply. */
export interface Judged {
  readonly now: number;
  readonly leases: Leases;
}

/** Every state of a machine; `never` has not said hello yet, `revoked` is refused. */
export const MACHINE_STATES = ['connected', 'suspect', 'disconnected', 'never', 'revoked'] as const;
export type MachineState = (typeof MACHINE_STATES)[number];

/** Derives the state of a machine from times of the coordinator, epoch milliseconds. */
export function machineState(
  machine: (Pick<Machine, 'lastSeenAt' | 'revokedAt'> & Partial<Pick<Machine, 'ssh'>>) | null | undefined,
  { now, leases }: Judged,
): MachineState {
  if (machine == null || machine.lastSeenAt === null) return machine?.revokedAt == null ? 'never' : 'revoked';
  const { lastSeenAt, revokedAt } = machine;
  if (revokedAt !== null) return 'revoked';
  const silentMs = now - lastSeenAt;
  // The machine's gateway knows sooner than the machine's silence tells.
  const isLost = machine.ssh != null && machine.ssh.state?.kind !== 'connected';
  if (silentMs < leases.suspectAfterMs && !isLost) return 'connected';
  return silentMs < leases.disconnectedAfterMs ? 'suspect' : 'disconnected';
}

/** Computes the longest time between two signs of life of an idle machine in a small fleet, in milliseconds: 5 s by default. */
export function signOfLifeMs({ suspectAfterMs }: Leases): number {
  return Math.round(suspectAfterMs / SIGNS_IN_A_LEASE);
}
