/** Machines: what clients send and see, and the use cases. */
import { epochMs, hostFinding, shownName, sshConnection, sshFingerprint, uuid } from '@drover/protocol';
import { z } from 'zod';
import type { Outcome } from './outcome.ts';
import type { Actor } from './people.ts';
import { labels, sshAddress } from './texts.ts';

/** Asks for a join token that is good for `ttlMs`: one second to one day. */
export const inviteInput = z.object({
  ttlMs: z
    .number()
    .int()
    .min(1_000)
    .max(24 * 3_600_000),
  /** True if a gateway joins with the token. */
  gateway: z.boolean().default(false),
});

/**
 * Adds a machine over SSH, or continues with one that was added in the same way. `gateway`: the only gateway that may
 * serve it. `hostKey`: the fingerprint that a person has compared already.
 */
export const addMachineInput = z.object({
  name: shownName('a machine'),
  connection: sshConnection,
  gateway: z.string().min(1).max(500).nullable().default(null),
  hostKey: sshFingerprint.nullable().default(null),
  labels: labels.optional(),
  capacity: z.number().int().min(0).max(10_000).nullable().default(null),
});

/** Confirms the key that a host shows, by its fingerprint: from now on it is the machine's only key. */
export const trustMachineInput = z.object({ name: z.string().min(1).max(500), fingerprint: sshFingerprint });

export const machineInput = z.object({ name: z.string().min(1).max(500) });

/** Removes a machine. Without `force` only a machine that has no workers. */
export const removeMachineInput = machineInput.extend({ force: z.boolean() });

/** Moves the workers of a machine away: a worker with a task after `deadlineMs` at the latest, up to a week; null: when its task is over. */
export const drainMachineInput = machineInput.extend({
  requestId: uuid,
  deadlineMs: z
    .number()
    .int()
    .min(0)
    .max(7 * 24 * 3_600_000, 'The deadline of a drain must be within 7 days; leave it out for none')
    .nullable(),
});

/**
 * Changes the given fields: the labels, the capacity (null: any number of workers), the address for ssh (null: none).
 * `labels` replaces all labels. `add` and `remove` change the present labels, so that of two people who change labels
 * at once neither undoes the other.
 */
export const labelMachineInput = machineInput.extend({
  labels: labels.optional(),
  add: labels.optional(),
  remove: labels.optional(),
  capacity: z.number().int().min(0).max(10_000).nullable().optional(),
  address: sshAddress.nullable().optional(),
});

/** The state of a machine: `never` has not said hello yet, `revoked` is refused. */
export const machineState = z.enum(['connected', 'suspect', 'disconnected', 'never', 'revoked']);

const space = z.object({ bytes: z.number(), freeBytes: z.number() });

/**
 * The condition of a machine at its last report, about once a minute while it is connected. `clockOffsetMs`: how far
 * its clock was ahead (negative: behind), with the time that the message took. `load`: processes that wanted a
 * processor in the last minute.
 */
export const machineConditionView = z.object({
  at: epochMs,
  clockOffsetMs: z.number(),
  /** Tools, and the programs of agent profiles by the profile's name. `forbidden`: the owner of the machine does not allow its start. */
  programs: z
    .array(
      z.object({
        of: z.enum(['tool', 'profile']),
        name: z.string(),
        state: z.enum(['present', 'missing', 'forbidden']),
        version: z.string().nullable(),
      }),
    )
    .readonly(),
  processors: z.number(),
  load: z.number(),
  memory: space,
  /** The disk that holds the checkouts; null: the machine could not read it. */
  disk: space.nullable(),
});

/** The connection to a machine over SSH, and the progress of its gateway. */
export const sshView = z.object({
  connection: sshConnection,
  /** The gateway that serves the machine now; null: none does. */
  gateway: z.string().nullable(),
  onlyGateway: z.string().nullable(),
  /** Rises with each gateway that takes the machine. */
  epoch: z.number().int(),
  state: z.enum(['waiting', 'connecting', 'key-unknown', 'key-changed', 'lacks', 'connected', 'lost']),
  /** The trouble, in words that follow the machine's name; null: there is none. */
  why: z.string().nullable(),
  /** True if only a person can help: a key, a login, a host that has changed. */
  isFinal: z.boolean(),
  /** Fingerprint of the shown key that a person may confirm; null: none. */
  fingerprint: z.string().nullable(),
  /** Fingerprints of the machine's confirmed keys. */
  pinned: z.array(z.string()).readonly(),
  findings: z.array(hostFinding).readonly(),
});

export type SshView = z.infer<typeof sshView>;

/** A gateway: its name, its state, and the machines that it serves. */
export const gatewayView = z.object({
  name: z.string(),
  state: machineState,
  lastSeenAt: epochMs.nullable(),
  version: z.string().nullable(),
  machines: z.array(z.string()).readonly(),
});

export type GatewayView = z.infer<typeof gatewayView>;

/**
 * A machine as `drover machine` shows it. `facts` are from the machine's last hello; `workers` counts the machine's
 * workers; `lastSeenAt` is null until the first hello.
 */
export const machineView = z.object({
  id: uuid,
  name: z.string(),
  state: machineState,
  epoch: z.number().int(),
  version: z.string().nullable(),
  facts: z.record(z.string(), z.string()).nullable(),
  workers: z.number().int(),
  labels: z.array(z.string()).readonly(),
  /** Maximum number of workers; null: any number. */
  capacity: z.number().int().nullable(),
  /** The address for ssh by people; null: not set. */
  address: z.string().nullable(),
  /** The last reported condition; null: the machine has not reported its condition. */
  condition: machineConditionView.nullable(),
  /** The connection over SSH; null: the agent runs on the machine. */
  ssh: sshView.nullable(),
  /**
   * Problems in the machine's reports of the last minutes, in words that follow the machine's name: too little disk or
   * memory, a clock that is off.
   */
  warnings: z.array(z.string()).readonly(),
  lastSeenAt: epochMs.nullable(),
  /** The address of the coordinator that the machine dialled at its last hello. */
  dialledUrl: z.string().nullable(),
  revokedAt: epochMs.nullable(),
  /** Time since when a new key is expected. */
  rotateSince: epochMs.nullable(),
  /**
   * Reason why the machine gets no new work; null: the machine gets work. `drain`: the workers leave; the field says
   * what the remaining workers wait for.
   */
  cordon: z
    .object({
      since: epochMs,
      by: z.string(),
      drain: z
        .object({
          since: epochMs,
          deadline: epochMs.nullable(),
          doneAt: epochMs.nullable(),
          waits: z.record(z.string(), z.string()),
        })
        .nullable(),
    })
    .nullable(),
});

export type MachineView = z.infer<typeof machineView>;

/** The answer to a request about a machine: the machine, and the names of its present or previous workers. */
export const machineRequestView = z.object({ machine: machineView, workers: z.array(z.string()).readonly() });

export type MachineRequestView = z.infer<typeof machineRequestView>;

/** The answer to a drain. `replaced`: the unfinished drain that this drain replaces; null: there was none. */
export const drainView = machineRequestView.extend({
  replaced: z.object({ by: z.string(), since: epochMs, deadline: epochMs.nullable() }).nullable(),
});

export type DrainView = z.infer<typeof drainView>;

/** A join token, the identity of the coordinator that it holds, and the end of its validity in epoch milliseconds. */
export const invitationView = z.object({
  token: z.string(),
  coordinator: z.string(),
  expiresAt: epochMs,
  /** The configured address by which machines reach the coordinator; null if none is configured. */
  url: z.string().nullable(),
});

export type InvitationView = z.infer<typeof invitationView>;

/** The use cases of machines. A refusal of an unknown name lists the known names. */
export interface MachineFleet {
  listMachines(by: Actor): Promise<readonly MachineView[]>;
  /** Makes a join token. The machine will pin the identity in the token. */
  invite(input: z.infer<typeof inviteInput>, by: Actor): Promise<InvitationView>;
  /** Refuses with `name-taken`, or `not-found` for an unknown gateway. */
  addMachine(input: z.infer<typeof addMachineInput>, by: Actor): Promise<Outcome<MachineRequestView>>;
  /** Refuses with `not-shown` unless the host shows a key of this fingerprint that is not trusted yet. */
  trustMachine(input: z.infer<typeof trustMachineInput>, by: Actor): Promise<Outcome<MachineRequestView>>;
  listGateways(by: Actor): Promise<readonly GatewayView[]>;
  /** Refuses the machine from now on, until a person invites it again. */
  revokeMachine(input: z.infer<typeof machineInput>, by: Actor): Promise<Outcome<MachineRequestView>>;
  /** Has the machine make a new key at its next hello. Refuses with `revoked`. */
  rotateMachine(input: z.infer<typeof machineInput>, by: Actor): Promise<Outcome<MachineRequestView>>;
  /** Gives the machine no new work from now on. */
  cordonMachine(input: z.infer<typeof machineInput>, by: Actor): Promise<Outcome<MachineRequestView>>;
  /** Gives the machine work again, and stops its drain. */
  uncordonMachine(input: z.infer<typeof machineInput>, by: Actor): Promise<Outcome<MachineRequestView>>;
  /** Changes the machine's labels. Refuses with `not-labelled` for the removal of a label that the machine lacks, and with `invalid` for too many. */
  labelMachine(input: z.infer<typeof labelMachineInput>, by: Actor): Promise<Outcome<MachineRequestView>>;
  /**
   * Gives the machine no new work and moves its workers to other machines. A second call replaces the deadline, and the
   * answer says which drain it replaces.
   */
  drainMachine(input: z.infer<typeof drainMachineInput>, by: Actor): Promise<Outcome<DrainView>>;
  /** Refuses with `has-workers` unless forced; `force` forgets the workers, and everything on the machine stays. */
  removeMachine(input: z.infer<typeof removeMachineInput>, by: Actor): Promise<Outcome<MachineRequestView>>;
}
