// Machines: how they join, say hello and are taken out, and what they observed.
import type { HostFinding, HostState, ObservationBody, SshConnection } from '@drover/protocol';
import type { NewAudit } from './people.ts';

/** Directories in which a machine's owner wants projects to lie. */
export interface MachinePlaces {
  /** The absolute directory in which the machine makes checkouts. */
  readonly workspace: string;
  /** Checkouts of its own, by the project's name. */
  readonly roots: Readonly<Record<string, string>>;
}

/** Place of a project on a machine, and the result of the last try to make it there. */
export interface Checkout {
  readonly root: string;
  readonly state: 'ready' | 'failed';
  /** Null unless the last try failed. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The workers of a machine are to leave it. Times are epoch milliseconds. */
export interface Drain {
  /** Id from which the ids of all that follows are derived. */
  readonly id: string;
  readonly since: number;
  /** Time from which workers leave in the middle of their tasks, too; null: they finish them first. */
  readonly deadline: number | null;
  /** Time when no worker was left that could leave; null: not yet. */
  readonly doneAt: number | null;
  /** Reasons why the remaining workers wait, by their names. */
  readonly waits: Readonly<Record<string, string>>;
}

/** Reason why a machine gets no new work. */
export interface Cordon {
  /** Epoch milliseconds. */
  readonly since: number;
  /** The name of the person who asked for it. */
  readonly by: string;
  /** Null: its workers stay. */
  readonly drain: Drain | null;
}

/** Work that a machine is for. */
export interface MachineTerms {
  /** Names that people give it, sorted. */
  readonly labels: readonly string[];
  /** Workers that it takes at most; null: any number. */
  readonly capacity: number | null;
  /** Address at which people reach it by ssh: `user@host`, `host` or either with `:port`; null: not set. */
  readonly address: string | null;
}

/** A program that a machine tells of: a tool, or that of an agent profile, by the profile's name. */
export interface ToldProgram {
  readonly of: 'tool' | 'profile';
  readonly name: string;
  /** `forbidden`: the machine's owner does not let it be started. */
  readonly state: 'present' | 'missing' | 'forbidden';
  /** Null: it is not known. */
  readonly version: string | null;
  /** Names of the variables in a profile's environment that hold keys or tokens of an account; absent: not known. */
  readonly keys?: readonly string[] | undefined;
  /** Ways by which Drover hears a profile's agents, in words that follow "by"; absent: not known. */
  readonly hears?: string | undefined;
  /** Comparisons with a version of a profile's program that no trial has seen; absent: a trial has, or it is not known. */
  readonly untried?: { readonly version: string; readonly turns: number; readonly disagreements: number } | undefined;
}

/** Space, in bytes. */
export interface Space {
  readonly bytes: number;
  readonly freeBytes: number;
}

/** Condition of a machine as the machine reports it. A machine can lie. */
export interface MachineCondition {
  /** Epoch milliseconds of the coordinator when the report came. */
  readonly at: number;
  /** Milliseconds that the machine's clock was ahead, with the time that the message took; negative: behind. */
  readonly clockOffsetMs: number;
  readonly programs: readonly ToldProgram[];
  readonly processors: number;
  /** Processes that wanted a processor in the last minute. */
  readonly load: number;
  readonly memory: Space;
  /** Space on the disk of the checkouts; null: the machine could not read it. */
  readonly disk: Space | null;
}

/** Machine over SSH: its connection, the keys that it is trusted by, and the gateway that serves it. Times are epoch milliseconds. */
export interface SshMachine {
  readonly connection: SshConnection;
  /** The gateway that alone may serve it; null: any. */
  readonly onlyGateway: { readonly id: string; readonly name: string } | null;
  /** The fingerprint that a person named before the host showed its key; null: none. */
  readonly expected: string | null;
  /** The keys by which it is known. */
  readonly pinned: readonly string[];
  /** Identity that the machine claims; null: it was not reached yet. */
  readonly hostId: string | null;
  /** The gateway that serves it until its lease is over; null: none. */
  readonly gateway: { readonly id: string; readonly name: string; readonly until: number } | null;
  /** Rises with each gateway that takes it. */
  readonly epoch: number;
  /** Null: no gateway has said how it is. */
  readonly state: (HostState & { readonly since: number }) | null;
  /** Time since when its gateways cannot reach it, and the number of tries since. Null: it is reached. */
  readonly away: { readonly since: number; readonly tries: number } | null;
  readonly findings: readonly HostFinding[];
}

/** A machine as it is stored. Times are epoch milliseconds of the coordinator. */
export interface Machine extends MachineTerms {
  readonly id: string;
  readonly name: string;
  readonly publicKey: string;
  readonly facts: Readonly<Record<string, string>> | null;
  /** Null: its agent is of a build that has each project at the path that the project names. */
  readonly places: MachinePlaces | null;
  /** Checkouts by the project's id. */
  readonly checkouts: Readonly<Record<string, Checkout>>;
  readonly epoch: number;
  readonly agentEpoch: string | null;
  readonly storedThrough: number;
  readonly version: string | null;
  readonly lastSeenAt: number | null;
  /** The address of the coordinator that it dialled at its last hello. */
  readonly dialledUrl: string | null;
  /** Null when it has no access token: it must say hello. */
  readonly accessTokenExpiresAt: number | null;
  /** Time since when it is refused; null: it is not. */
  readonly revokedAt: number | null;
  /** Time when a person asked for a new key; null: no new key is wanted. */
  readonly rotateSince: number | null;
  /** Null: it gets new work. */
  readonly cordon: Cordon | null;
  /** Null: it has not said. */
  readonly condition: MachineCondition | null;
  /** A gateway has no panes and speaks for machines over SSH. */
  readonly isGateway: boolean;
  /** Null: its agent runs on it. */
  readonly ssh: SshMachine | null;
}

/** A machine over SSH that is added: its gateways make the key by which they speak for it. */
export interface NewSshMachine extends MachineTerms {
  readonly id: string;
  readonly name: string;
  readonly ssh: SshMachine;
  readonly now: number;
}

/** Session that a hello began: it ends as soon as the machine says the next hello. `agentEpoch` is the epoch of the machine's buffer. */
export interface MachineSession {
  readonly machineId: string;
  readonly epoch: number;
  /** Null: the machine has never said hello. */
  readonly agentEpoch: string | null;
}

/** A token for one machine, by its SHA-256. Times are epoch milliseconds. */
export interface NewJoinToken {
  readonly sha256: string;
  readonly expiresAt: number;
  readonly now: number;
  /** Lets a gateway join with the token. Absent: a machine. */
  readonly forGateway?: boolean;
  /** Audit row, written in the same transaction. */
  readonly audit?: NewAudit;
}

/** A machine that shows a join token. `id` is used if the key is new. */
export interface NewMachine {
  readonly id: string;
  readonly name: string;
  readonly publicKey: string;
  readonly tokenSha256: string;
  readonly now: number;
  /** Audit row, added if the key is new. */
  readonly audit?: NewAudit;
}

/**
 * Changes of a hello: the epoch that its challenge was made for, the key that the machine is known by from now on, and
 * the SHA-256 of the access token that it gets. Times are epoch milliseconds.
 */
export interface MachineHello {
  readonly machineId: string;
  readonly epoch: number;
  readonly publicKey: string;
  /** Tells whether the machine has the new key that was wanted. */
  readonly rotated: boolean;
  readonly dialledUrl: string;
  readonly agentEpoch: string;
  readonly version: string;
  readonly facts: Readonly<Record<string, string>>;
  /** Null: a gateway has none. */
  readonly places: MachinePlaces | null;
  readonly accessTokenSha256: string;
  readonly accessTokenExpiresAt: number;
  readonly now: number;
}

/**
 * An observation to be stored once by (machine, `agentEpoch`, `seq`). `seenAt` is the machine's clock, `now` the
 * coordinator's, both epoch milliseconds.
 */
export interface NewObservation extends MachineSession {
  readonly agentEpoch: string;
  readonly seq: number;
  readonly workerId: string | null;
  readonly body: ObservationBody;
  readonly seenAt: number;
  readonly now: number;
}

/** Facts for a machine that gave a sign of life. */
export interface Touched {
  /** Commands wait for this session. */
  readonly hasCommands: boolean;
  /** The newest revision of the agent profiles. */
  readonly profilesRevision: number;
}

/** Facts that decide whether a connection of a machine may go on. Times are epoch milliseconds. */
export type MachineAccess = Pick<Machine, 'id' | 'epoch' | 'revokedAt' | 'accessTokenExpiresAt'>;
