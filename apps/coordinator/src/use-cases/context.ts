/** What every use case is given. */
import type { Decision, Policy } from '@drover/core';
import type { Store } from '@drover/store';
import type { Counters } from '../metrics/count.ts';
import type { Clock, Hints, Ids, Log } from '../ports.ts';
import type { AccountName } from './accounts-key.ts';
import type { QueueSettings } from './queue-rules.ts';

/** The store, the adapters and the policy of one replica. Nothing in it changes while the process runs. */
export interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly hints: Hints;
  /** How many machines there were at the last hello of any: good enough to pace them. */
  readonly fleetSize: { machines: number };
  /** In [0, 1). */
  readonly random: () => number;
  /** What projects change: the default policy, or that of a simulation. */
  readonly policy: Policy;
  /** Told of what was committed; absent: nobody counts. */
  readonly counters?: Counters;
  /** The account that an agent profile uses. */
  readonly accountOf: (profile: string) => AccountName;
  /** Who takes what from the work queue; absent: as by default. */
  readonly queue?: QueueSettings;
  /** Time between two rounds of the patrol, in milliseconds; null: none. */
  readonly patrolEveryMs: number | null;
  /** Told of every decision, also of those that leave no line in the history. Its transaction may still be undone. */
  readonly onDecision?: (decision: Decision) => void;
}

/** A machine that said nothing for this long is suspect, in milliseconds. Source: docs/architecture.md, leases. */
export const SUSPECT_AFTER_MS = 30_000;
/** A machine that said nothing for this long is disconnected, in milliseconds. */
export const DISCONNECTED_AFTER_MS = 90_000;

/** How sure are we that a machine is there? */
export function machineState(
  lastSeenAt: number | null,
  now: number,
): 'connected' | 'suspect' | 'disconnected' | 'never' {
  if (lastSeenAt === null) return 'never';
  const silentMs = now - lastSeenAt;
  if (silentMs < SUSPECT_AFTER_MS) return 'connected';
  return silentMs < DISCONNECTED_AFTER_MS ? 'suspect' : 'disconnected';
}
