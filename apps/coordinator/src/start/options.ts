/** What does a composition root decide for a coordinator? */
import type { Policy } from '@drover/core';
import type { Redactor } from '@drover/protocol';
import type { ErrorRow, NewProject } from '@drover/store';
import type { DatabaseChoice } from '../database/address.ts';
import type { MailSettings } from '../mail/mailer.ts';
import type { PolicyReading } from './policy-watch.ts';
import type { Ids, LocalClock, Log } from '../context/ports.ts';
import type { AccountName } from '../context/account-key.ts';
import type { Leases } from '../context/leases.ts';
import type { QueueSettings } from '../context/queue-settings.ts';
import type { WorkerDefaults } from '../facts/workers/defaults.ts';

/**
 * What a composition root decides: where the state is, where to listen, the adapters, and what the configuration says.
 */
export interface CoordinatorOptions {
  readonly database: DatabaseChoice;
  readonly migrationsDir: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Tried in turn where another program listens on the port. Default: none. */
  readonly otherPorts?: readonly number[];
  /** Names that it answers to beside loopback and the address listened on; absent: none. */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages that may use `/v1`, as browsers write them; absent: none. */
  readonly allowedOrigins?: readonly string[];
  /** Addresses of proxies whose `X-Forwarded-For` is believed; absent: none. */
  readonly trustedProxies?: readonly string[];
  /** Hosts to which webhooks may go though they are private or without TLS; absent: none. */
  readonly webhookHosts?: readonly string[];
  /** Where people reach it, such as `https://drover.example.com`; absent: mail and notices have no links. */
  readonly publicUrl?: string;
  readonly log: Log;
  /** Told of each row of the error log, once it is committed; absent: it is in the database alone. */
  readonly onError?: (error: ErrorRow) => void;
  /** This computer's; all replicas of one database go by its clock. */
  readonly clock: LocalClock;
  readonly ids: Ids;
  /** In [0, 1). */
  readonly random: () => number;
  readonly version: string;
  /** This process's id, for people. */
  readonly pid: number;
  /** The project that this coordinator's configuration names; others may be in the database. */
  readonly project: NewProject | null;
  readonly defaults: (name: string) => WorkerDefaults;
  /**
   * An admin's token that works for as long as this process lives; null: none. Others with the same secret share it, others with the
   * same name do not. `kept`: it stays for them when this process ends, until it expires.
   */
  readonly token: {
    readonly name: string;
    readonly secret: string;
    readonly kept?: boolean;
    /** Who has it, as people read it; absent: its name. */
    readonly person?: string;
  } | null;
  /** The token of a bot that runs beside this coordinator, and the most that people may do by it; absent: there is none. */
  readonly bot?: {
    readonly secret: string;
    readonly role: 'viewer' | 'responder' | 'operator';
    readonly channels: readonly string[];
  };
  /** What the policies of projects change; absent: the default policy. */
  readonly policy?: Policy;
  /** Where mail about questions goes out; absent: nowhere. */
  readonly mail?: MailSettings;
  /** Reads the policy of `project` again; absent: it stays as it was at the start. */
  readonly readPolicy?: () => Promise<PolicyReading>;
  /** Who takes what from the work queue; absent: idle workers do. */
  readonly queue?: QueueSettings;
  /** The account that an agent profile uses; without it each program has one for each machine. */
  readonly accountOf?: (profile: string) => AccountName;
  /** How long machines may be silent; absent: `DEFAULT_LEASES`. */
  readonly leases?: Leases;
  /** Bytes of a file that one machine may send to another; absent: as by default. */
  readonly parcelBytes?: number;
  /** The oldest version of the agent protocol that is served; absent: all that this build can serve. */
  readonly minVersion?: string;
  /** Takes secrets out of what others than the worker see; absent: by known forms alone. */
  readonly redactor?: Redactor;
  /** Time between rounds of the patrol, in milliseconds; null: no patrol. */
  readonly patrolEveryMs: number | null;
  /** What a scheduler shows that has due work done by `POST /internal/tick`; absent: that route refuses everybody. */
  readonly tickSecret?: string;
  /** A collector of OpenTelemetry traces over HTTP; absent: nothing is traced. */
  readonly tracesUrl?: string;
  /** Called when the process can do nothing any more, with words for people: it should end. */
  readonly fatal: (message: string) => void;
  /** What `drover down` may call; null where the process has another owner. */
  readonly stop: (() => void) | null;
}
