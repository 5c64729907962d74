/** Holds everything that a use case is given. */
import type { Clock, Log } from '@drover/base';
import type { Decision, Policy } from '@drover/core';
import { Redactor } from '@drover/protocol';
import type { ErrorRow, Store } from '@drover/store';
import type { HelloPace } from './hello-pace.ts';
import type { FleetIdentity } from './identity.ts';
import type { Hosts } from './hosts.ts';
import type { Counters } from './counters.ts';
import type { Mailer } from './mailer.ts';
import type { Hints, Ids } from './ports.ts';
import type { Tracing } from './traces/tracing.ts';
import type { AccountName } from './account-key.ts';
import { DEFAULT_LEASES } from './leases.ts';
import type { Judged, Leases } from './leases.ts';
import type { QueueSettings } from './queue-settings.ts';

/** Clock that all replicas share. */
export interface SharedClock extends Clock {
  /** Asks the time server again. Absent for this computer's own clock. @throws when there is no answer. */
  sync?(): Promise<void>;
}

/** The store, the adapters and the policy of one replica. Nothing in it changes while the process runs. */
export interface Context {
  readonly store: Store;
  readonly clock: SharedClock;
  readonly ids: Ids;
  /** Identity that this coordinator shows to machines. */
  readonly identity: FleetIdentity;
  /** Names by which machines reach the coordinator; absent: any name. */
  readonly hosts?: Hosts;
  readonly log: Log;
  /** Redacts secrets from text that others than the worker see; absent: redacts known forms alone. */
  readonly redactor?: Redactor | undefined;
  readonly hints: Hints;
  /** The name of the token that this process made at its start; absent: none. */
  readonly startToken?: string;
  /** Holder of that token, as people read it; absent: the token's name. */
  readonly startPerson?: string;
  /** Names of all tokens that are valid only while this process lives; absent: none. */
  readonly ownTokens?: readonly string[];
  /** Number of machines at the last hello of any: good enough to pace the machines. */
  readonly fleetSize: { machines: number };
  /** Lets machines in one after the other; absent: each at once. */
  readonly hellos?: HelloPace;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Policy that projects change: the default, or a simulation's. */
  readonly policy: Policy;
  /** Address at which people reach the coordinator, for links in mail and notices; absent: no links. */
  readonly publicUrl?: string;
  /** Sends mail; absent: no server is configured. */
  readonly mail?: Mailer;
  /** Counts committed work; absent: nothing is counted. */
  readonly counters?: Counters;
  /** Traces every decision after its commit; absent: nothing is traced. */
  readonly tracing?: Tracing;
  /** Looks up the account that an agent profile uses. */
  readonly accountOf: (profile: string) => AccountName;
  /** Settings of the work queue; absent: the defaults. */
  readonly queue?: QueueSettings;
  /** Times that machines may be silent; absent: `DEFAULT_LEASES`. */
  readonly leases?: Leases;
  /** Bytes of a file that one machine may send to another; absent: the default. */
  readonly parcelBytes?: number;
  /** Oldest version of the agent protocol that is served; absent: every version that this build can serve. */
  readonly minVersion?: string;
  /** Milliseconds between two rounds of the patrol; null: no patrol. */
  readonly patrolEveryMs: number | null;
  /** Hears each row of the error log, once the row is committed. */
  readonly onError?: (error: ErrorRow) => void;
  /** Hears every decision, also decisions that leave no line in the history. Their transaction may still roll back. */
  readonly onDecision?: (decision: Decision) => void;
}

const BY_FORMS = new Redactor();

/** Gives the redactor for text that others than the worker see. */
export function redactorOf({ redactor = BY_FORMS }: Pick<Context, 'redactor'>): Redactor {
  return redactor;
}

/** Clock and leases that machines are judged by. */
export interface JudgedBy {
  readonly clock: Pick<Clock, 'now'>;
  readonly leases?: Leases | undefined;
}

/** Reads the clock and the leases that machines are judged by now. */
export function judged({ clock, leases = DEFAULT_LEASES }: JudgedBy): Judged {
  return { now: clock.now(), leases };
}
