/** What every use case is given. */
import type { Decision, Policy } from '@drover/core';
import { Redactor } from '@drover/protocol';
import type { ErrorRow, Store } from '@drover/store';
import type { HelloPace } from './hello-pace.ts';
import type { FleetIdentity } from './identity.ts';
import type { Hosts } from './hosts.ts';
import type { Counters } from './counters.ts';
import type { Mailer } from './mailer.ts';
import type { Clock, Hints, Ids, Log } from './ports.ts';
import type { Tracing } from './traces/tracing.ts';
import type { AccountName } from './account-key.ts';
import { DEFAULT_LEASES } from './leases.ts';
import type { Judged, Leases } from './leases.ts';
import type { QueueSettings } from './queue-settings.ts';

/** The store, the adapters and the policy of one replica. Nothing in it changes while the process runs. */
export interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Who this coordinator is, to machines. */
  readonly identity: FleetIdentity;
  /** The names by which machines reach it; absent: by any. */
  readonly hosts?: Hosts;
  readonly log: Log;
  /** Takes secrets out of what others than the worker see; absent: by known forms alone. */
  readonly redactor?: Redactor | undefined;
  readonly hints: Hints;
  /** The name of the token that this process made at its start; absent: none. */
  readonly startToken?: string;
  /** Who has that token, as people read it; absent: its name. */
  readonly startPerson?: string;
  /** The names of all tokens that are good because this process lives; absent: there are none. */
  readonly ownTokens?: readonly string[];
  /** How many machines there were at the last hello of any: good enough to pace them. */
  readonly fleetSize: { machines: number };
  /** Lets machines in one after the other; absent: each at once. */
  readonly hellos?: HelloPace;
  /** In [0, 1). */
  readonly random: () => number;
  /** What projects change: the default policy, or that of a simulation. */
  readonly policy: Policy;
  /** Where people reach it, for links in mail and notices; absent: these have none. */
  readonly publicUrl?: string;
  /** Sends mail; absent: no server is configured. */
  readonly mail?: Mailer;
  /** Told of what was committed; absent: nothing is counted. */
  readonly counters?: Counters;
  /** Told of every decision after its commit; absent: nothing is traced. */
  readonly tracing?: Tracing;
  /** The account that an agent profile uses. */
  readonly accountOf: (profile: string) => AccountName;
  /** Who takes what from the work queue; absent: as by default. */
  readonly queue?: QueueSettings;
  /** How long machines may be silent; absent: `DEFAULT_LEASES`. */
  readonly leases?: Leases;
  /** Bytes of a file that one machine may send to another; absent: as by default. */
  readonly parcelBytes?: number;
  /** The oldest version of the agent protocol that is served; absent: all that this build can serve. */
  readonly minVersion?: string;
  /** Time between two rounds of the patrol, in milliseconds; null: none. */
  readonly patrolEveryMs: number | null;
  /** Told of each row of the error log, once it is committed. */
  readonly onError?: (error: ErrorRow) => void;
  /** Told of every decision, also of those that leave no line in the history. Its transaction may still be undone. */
  readonly onDecision?: (decision: Decision) => void;
}

const BY_FORMS = new Redactor();

/** What takes secrets out of what others than the worker see. */
export function redactorOf({ redactor = BY_FORMS }: Pick<Context, 'redactor'>): Redactor {
  return redactor;
}

/** What machines are judged by. */
export interface JudgedBy {
  readonly clock: Pick<Clock, 'now'>;
  readonly leases?: Leases | undefined;
}

/** How machines are judged now. */
export function judged({ clock, leases = DEFAULT_LEASES }: JudgedBy): Judged {
  return { now: clock.now(), leases };
}
