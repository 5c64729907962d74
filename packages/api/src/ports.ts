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
import type { CheckpointFleet } from './checkpoint-ports.ts';
import type { PolicyFleet } from './policy.ts';
import type { QueueFleet } from './queue.ts';
import type { DoctorFleet } from './doctor.ts';
import type { RecoveryFleet } from './recovery-ports.ts';
import type {
  EventView,
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

/** Who is asking. */
export interface Actor {
  readonly name: string;
  readonly role: 'viewer' | 'responder' | 'operator' | 'admin';
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

/** The use cases behind the API. */
export interface Fleet extends RecoveryFleet, PolicyFleet, QueueFleet, CheckpointFleet, DoctorFleet {
  info(): Promise<FleetInfo>;
  listWorkers(): Promise<readonly WorkerView[]>;
  listMachines(): Promise<readonly MachineView[]>;
  add(input: In<typeof addInput>): Promise<Outcome<OrderView>>;
  nuke(input: In<typeof nukeInput>): Promise<Outcome<OrderView>>;
  start(input: In<typeof startInput>): Promise<Outcome<OrderView>>;
  message(input: In<typeof messageInput>): Promise<Outcome<OrderView>>;
  review(input: In<typeof reviewInput>): Promise<Outcome<ReviewView>>;
  reject(input: In<typeof rejectInput>): Promise<Outcome<OrderView>>;
  accept(input: In<typeof acceptInput>): Promise<Outcome<OrderView>>;
  why(input: In<typeof whyInput>): Promise<Outcome<WhyView>>;
  pane(input: In<typeof paneInput>): Promise<Outcome<{ readonly text: string }>>;
  listProfiles(): Promise<readonly ProfileView[]>;
  putProfile(input: In<typeof putProfileInput>): Promise<Outcome<ProfileView>>;
  removeProfile(input: In<typeof removeProfileInput>): Promise<Outcome<ProfileView>>;
  screen(input: In<typeof screenInput>): Promise<Outcome<ScreenView>>;
  events(input: In<typeof eventsInput>, signal: AbortSignal | undefined): Promise<Outcome<readonly EventView[]>>;
  invite(input: { readonly ttlMs: number }): Promise<{ readonly token: string; readonly expiresAt: number }>;
  /** Orders every worker up or down. */
  setWanted(wanted: 'up' | 'down', orderId: string): Promise<readonly WorkerView[]>;
  /** Asks the process to stop, if it is one that may be stopped from outside. */
  stop(): Promise<Outcome<null>>;
}

/** What every procedure can rely on. */
export interface ApiContext {
  readonly actor: Actor | null;
  readonly fleet: Fleet;
  readonly signal: AbortSignal | undefined;
}
