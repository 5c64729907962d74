/** Options that a composition root decides for a coordinator. */
import type { LocalClock, Log } from '@drover/base';
import type { Policy } from '@drover/core';
import type { Redactor } from '@drover/protocol';
import type { ErrorRow, NewProject } from '@drover/store';
import type { DatabaseChoice } from '../database/address.ts';
import type { MailSettings } from '../mail/mailer.ts';
import type { PolicyReading } from './policy-watch.ts';
import type { Ids } from '../context/ports.ts';
import type { AccountName } from '../context/account-key.ts';
import type { Leases } from '../context/leases.ts';
import type { QueueSettings } from '../context/queue-settings.ts';
import type { WorkerDefaults } from '../facts/workers/defaults.ts';

/** Options of a composition root: the place of the state, the address to listen on, the adapters, and the configuration. */
export interface CoordinatorOptions {
  readonly database: DatabaseChoice;
  readonly migrationsDir: string;
  /** Directory of the built dashboard; absent: the pages say that there is none. */
  readonly dashboardDir?: string;
  readonly host: string;
  /** Port number; 0 takes a free port. */
  readonly port: number;
  /** Ports to try in turn if another program listens on `port`. Default: none. */
  readonly otherPorts?: readonly number[];
  /** Names that the coordinator answers to, beside loopback and the address listened on; absent: none. */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages that may use `/v1`, as browsers write them; absent: none. */
  readonly allowedOrigins?: readonly string[];
  /** Addresses of proxies whose `X-Forwarded-For` is believed; absent: none. */
  readonly trustedProxies?: readonly string[];
  /** Hosts to which webhooks may go though they are private or without TLS; absent: none. */
  readonly webhookHosts?: readonly string[];
  /** Address at which people reach the coordinator, such as `https://drover.example.com`; absent: mail and notices have no links. */
  readonly publicUrl?: string;
  readonly log: Log;
  /** Hears each row of the error log, once the row is committed; absent: the row is in the database alone. */
  readonly onError?: (error: ErrorRow) => void;
  /** Clock of this computer; all replicas of one database share the database's clock. */
  readonly clock: LocalClock;
  readonly ids: Ids;
  /** Returns a random number in [0, 1). */
  readonly random: () => number;
  readonly version: string;
  /** Id of this process, for people. */
  readonly pid: number;
  /** Project that this coordinator's configuration names; others may be in the database. */
  readonly project: NewProject | null;
  readonly defaults: (name: string) => WorkerDefaults;
  /**
   * An admin's token that is valid for as long as this process lives; null: none. Others with the same secret share it, others with the
   * same name do not. `kept`: the token stays for them when this process ends, until it expires.
   */
  readonly token: {
    readonly name: string;
    readonly secret: string;
    readonly kept?: boolean;
    /** Holder of the token, as people read it; absent: the token's name. */
    readonly person?: string;
  } | null;
  /** Token of a bot that runs beside this coordinator, and the most that people may do by it; absent: no bot. */
  readonly bot?: {
    readonly secret: string;
    readonly role: 'viewer' | 'responder' | 'operator';
    readonly channels: readonly string[];
  };
  /** Policy that projects change; absent: the default policy. */
  readonly policy?: Policy;
  /** Server for mail about questions; absent: no mail. */
  readonly mail?: MailSettings;
  /** Reads the policy of `project` again; absent: the policy stays as at the start. */
  readonly readPolicy?: () => Promise<PolicyReading>;
  /** Settings of the work queue; absent: idle workers take items. */
  readonly queue?: QueueSettings;
  /** Looks up the account that an agent profile uses; absent: each program has an account for each machine. */
  readonly accountOf?: (profile: string) => AccountName;
  /** Times that machines may be silent; absent: `DEFAULT_LEASES`. */
  readonly leases?: Leases;
  /** Bytes of a file that one machine may send to another; absent: the default. */
  readonly parcelBytes?: number;
  /** Oldest version of the agent protocol that is served; absent: every version that this build can serve. */
  readonly minVersion?: string;
  /** Redacts secrets from text that others than the worker see; absent: redacts known forms alone. */
  readonly redactor?: Redactor;
  /** Milliseconds between rounds of the patrol; null: no patrol. */
  readonly patrolEveryMs: number | null;
  /** Secret that a scheduler shows to `POST /internal/tick`; absent: that route refuses everybody. */
  readonly tickSecret?: string;
  /** Collector of OpenTelemetry traces over HTTP; absent: nothing is traced. */
  readonly tracesUrl?: string;
  /** Runs when the process cannot continue, with words for people: the process should end. */
  readonly fatal: (message: string) => void;
  /** Stops the process for `drover down`; null where the process has another owner. */
  readonly stop: (() => void) | null;
}
