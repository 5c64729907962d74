/** The API's port to the process that serves it: the use cases of all subjects, and the context of every procedure. */
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
import type { RunFleet } from './runs/runs.ts';
import type { SessionFleet } from './session/session.ts';
import type { TerminalFleet } from './terminals/terminals.ts';
import type { TaskFleet } from './tasks.ts';
import type { SettingsFleet } from './settings/settings.ts';
import type { WorkerFleet } from './workers/workers.ts';

/**
 * The process that serves the API: its version, the project and the root of its configuration (null if none was given),
 * its process id, and its start in epoch milliseconds.
 */
export interface FleetInfo {
  readonly version: string;
  readonly project: string | null;
  readonly root: string | null;
  readonly pid: number;
  readonly startedAt: number;
}

/** The context of every procedure. */
export interface ApiContext {
  readonly actor: Actor | null;
  readonly fleet: Fleet;
  /** Takes secrets out of an answer: its reader is not the worker. */
  readonly redact: <T>(answer: T) => T;
  readonly signal: AbortSignal | undefined;
  /** Reports a call that the caller's role or project does not allow. */
  readonly refused: (route: string) => void;
  /** Calls back with a last message when the caller's token is revoked or expired. @returns a function that ends the watch. */
  readonly watch: (over: (lastWord: string) => void) => () => void;
}

/** The use cases behind the API. `by` is the caller: the caller bounds what is found, and every change carries the caller. */
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
    RunFleet,
    DoctorFleet,
    TokenFleet,
    AuditFleet,
    PeopleFleet,
    SessionFleet,
    ChannelFleet {
  info(): Promise<FleetInfo>;
  /** Asks the process to stop, if this process may be stopped remotely. */
  stop(by: Actor): Promise<Outcome<null>>;
}
