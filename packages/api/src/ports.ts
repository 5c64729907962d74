/** What does the API need of whoever serves it? Use cases that answer with outcomes, never with status codes. */
import type { z } from 'zod';
import type {
  acceptInput,
  addInput,
  eventsInput,
  messageInput,
  nukeInput,
  paneInput,
  rejectInput,
  putProfileInput,
  removeProfileInput,
  reviewInput,
  screenInput,
  startInput,
  whyInput,
} from './inputs.ts';
import type { AuditFleet } from './audit.ts';
import type { CheckpointFleet } from './checkpoint-ports.ts';
import type { PolicyFleet } from './policy.ts';
import type { QueueFleet } from './queue.ts';
import type { DoctorFleet } from './doctor.ts';
import type { MachineFleet } from './machines.ts';
import type { RecoveryFleet } from './recovery-ports.ts';
import type { TokenFleet } from './tokens.ts';
import type {
  EventView,
  InvitationView,
  MachineView,
  OrderView,
  ProfileView,
  ReviewView,
  ScreenView,
  WhyView,
  WorkerView,
} from './views.ts';

type In<S extends z.ZodType> = z.infer<S>;

/** Why something was not done, for people, and in a word for programs. */
export interface Refusal {
  readonly kind: 'refused';
  /** `not-found` and `invalid` name the caller's mistake; any other code is a conflict with the present state. */
  readonly code: string;
  readonly message: string;
}

/** What a use case came to: its value, or why it was not done. Failures of the world are thrown. */
export type Outcome<T> = { readonly kind: 'ok'; readonly value: T } | Refusal;

/** What a token allows: `worker` sees what concerns one worker and changes nothing, the others each include the one before. */
export type Role = 'worker' | 'viewer' | 'responder' | 'operator' | 'admin';

/** Who is asking, as the token says. A token with a project reaches nothing outside of it. */
export interface Actor {
  readonly kind: 'person' | 'worker';
  /** Of the token. */
  readonly id: string;
  /** Of the token. */
  readonly name: string;
  readonly role: Role;
  /** The id of the only project that the token reaches; null: all of them. */
  readonly project: string | null;
  /** The id of the worker that the token was made for; null: a person's. */
  readonly worker: string | null;
}

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

/** The use cases behind the API. `by` is who asks: it bounds what is found, and every change carries it. */
export interface Fleet
  extends RecoveryFleet, PolicyFleet, QueueFleet, CheckpointFleet, DoctorFleet, TokenFleet, AuditFleet, MachineFleet {
  info(): Promise<FleetInfo>;
  listWorkers(by: Actor): Promise<readonly WorkerView[]>;
  listMachines(by: Actor): Promise<readonly MachineView[]>;
  add(input: In<typeof addInput>, by: Actor): Promise<Outcome<OrderView>>;
  nuke(input: In<typeof nukeInput>, by: Actor): Promise<Outcome<OrderView>>;
  start(input: In<typeof startInput>, by: Actor): Promise<Outcome<OrderView>>;
  message(input: In<typeof messageInput>, by: Actor): Promise<Outcome<OrderView>>;
  review(input: In<typeof reviewInput>, by: Actor): Promise<Outcome<ReviewView>>;
  reject(input: In<typeof rejectInput>, by: Actor): Promise<Outcome<OrderView>>;
  accept(input: In<typeof acceptInput>, by: Actor): Promise<Outcome<OrderView>>;
  why(input: In<typeof whyInput>, by: Actor): Promise<Outcome<WhyView>>;
  pane(input: In<typeof paneInput>, by: Actor): Promise<Outcome<{ readonly text: string }>>;
  listProfiles(): Promise<readonly ProfileView[]>;
  putProfile(input: In<typeof putProfileInput>, by: Actor): Promise<Outcome<ProfileView>>;
  removeProfile(input: In<typeof removeProfileInput>, by: Actor): Promise<Outcome<ProfileView>>;
  screen(input: In<typeof screenInput>, by: Actor): Promise<Outcome<ScreenView>>;
  events(
    input: In<typeof eventsInput>,
    by: Actor,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<readonly EventView[]>>;
  /** Makes a join token. The machine will pin the identity that it holds. */
  invite(input: { readonly ttlMs: number }, by: Actor): Promise<InvitationView>;
  /** Orders every worker that the caller reaches up or down. */
  setWanted(wanted: 'up' | 'down', orderId: string, by: Actor): Promise<readonly WorkerView[]>;
  /** Asks the process to stop, if it is one that may be stopped from outside. */
  stop(by: Actor): Promise<Outcome<null>>;
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
