/** How sure are we that a machine is there? By how long it has been silent. */

/** How long a machine may be silent. Source of the defaults: docs/architecture.md, leases. */
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

/** The state of a machine; `never` has not said hello yet. */
export type MachineState = 'connected' | 'suspect' | 'disconnected' | 'never';

/** How sure are we that a machine is there? `lastSeenAt` as the coordinator's clock had it, epoch milliseconds. */
export function machineState(lastSeenAt: number | null, { now, leases }: Judged): MachineState {
  if (lastSeenAt === null) return 'never';
  const silentMs = now - lastSeenAt;
  if (silentMs < leases.suspectAfterMs) return 'connected';
  return silentMs < leases.disconnectedAfterMs ? 'suspect' : 'disconnected';
}

/** The longest time between two signs of life of an idle machine in a small fleet, in milliseconds: 5 s by default. */
export function signOfLifeMs({ suspectAfterMs }: Leases): number {
  return Math.round(suspectAfterMs / SIGNS_IN_A_LEASE);
}
