/** What the API needs of the process that serves it: the use cases of all subjects, and what every procedure can rely on. */
import type { AccountFleet } from './accounts.ts';
import type { ChannelFleet, PeopleFleet } from './channels.ts';
import type { CheckpointFleet } from './checkpoints.ts';
import type { DoctorFleet } from './doctor.ts';
import type { EscalationFleet } from './escalations.ts';
import type { OncallFleet } from './oncall.ts';
import type { FeedFleet } from './public/feed.ts';
import type { WebhookFleet } from './public/webhooks.ts';
import type { IncidentFleet } from './incidents.ts';
import type { MachineFleet } from './machines.ts';
import type { Outcome } from './outcome.ts';
import type { Actor, AuditFleet, TokenFleet } from './people.ts';
import type { PolicyFleet } from './policies.ts';
import type { ProfileFleet } from './profiles.ts';
import type { ProjectFleet } from './projects/projects.ts';
import type { QueueFleet } from './queue.ts';
import type { TerminalFleet } from './terminals/terminals.ts';
import type { TaskFleet } from './tasks.ts';
import type { SettingsFleet } from './settings/settings.ts';
import type { WorkerFleet } from './workers.ts';

/**
 * What serves the API: its version, the project and the root of its configuration (null where it was given none), its
 * process id, and when it started in epoch milliseconds.
 */
export interface FleetInfo {
  readonly version: string;
  readonly project: string | null;
  readonly root: string | null;
  readonly pid: number;
  readonly startedAt: number;
}

/** What every procedure can rely on. */
export interface ApiContext {
  readonly actor: Actor | null;
  readonly fleet: Fleet;
  /** Takes secrets out of an answer: its reader is not the worker. */
  readonly redact: <T>(answer: T) => T;
  readonly signal: AbortSignal | undefined;
  /** Told of a call that the caller's role or project does not allow. */
  readonly refused: (route: string) => void;
  /** Tells once the caller's token is revoked or has expired, with a last word. @returns what ends the watch. */
  readonly watch: (over: (lastWord: string) => void) => () => void;
}

/** The use cases behind the API. `by` is who asks: it bounds what is found, and every change carries it. */
export interface Fleet
  extends
    WorkerFleet,
    TaskFleet,
    TerminalFleet,
    MachineFleet,
    ProfileFleet,
    ProjectFleet,
    SettingsFleet,
    CheckpointFleet,
    IncidentFleet,
    FeedFleet,
    WebhookFleet,
    EscalationFleet,
    OncallFleet,
    AccountFleet,
    PolicyFleet,
    ProjectFleet,
    QueueFleet,
    DoctorFleet,
    TokenFleet,
    AuditFleet,
    PeopleFleet,
    ChannelFleet {
  info(): Promise<FleetInfo>;
  /** Asks the process to stop, if it is one that may be stopped from outside. */
  stop(by: Actor): Promise<Outcome<null>>;
}
