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
  /** What joins with the token is a gateway. */
  gateway: z.boolean().default(false),
});

/**
 * Adds a machine over SSH, or goes on with one that was added in the same way. `gateway`: the one that alone may serve it. `hostKey`: the
 * fingerprint that a person has compared already.
 */
export const addMachineInput = z.object({
  name: shownName('a machine'),
  connection: sshConnection,
  gateway: z.string().min(1).max(500).nullable().default(null),
  hostKey: sshFingerprint.nullable().default(null),
  labels: labels.optional(),
  capacity: z.number().int().min(0).max(10_000).nullable().default(null),
});

/** Confirms the key that a host shows, by its fingerprint: it alone is the machine's from now on. */
export const trustMachineInput = z.object({ name: z.string().min(1).max(500), fingerprint: sshFingerprint });

/** A machine by its name. */
export const machineInput = z.object({ name: z.string().min(1).max(500) });

/** Removes a machine. Without `force` only one that has no workers. */
export const removeMachineInput = machineInput.extend({ force: z.boolean() });

/** Has the workers of a machine leave it: those at a task after `deadlineMs` at the latest, up to a week; null: when it is over. */
export const drainMachineInput = machineInput.extend({
  requestId: uuid,
  deadlineMs: z
    .number()
    .int()
    .min(0)
    .max(7 * 24 * 3_600_000, 'A drain has a deadline within 7 days, or none')
    .nullable(),
});

/**
 * Changes what is named: its labels, its capacity (null: any number of workers), its address for ssh (null: none). `labels` are all that it
 * has from now on. `add` and `remove` change those that it has then, so that of two people who change them at once neither undoes the other.
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
 * How a machine last said that it is, about once a minute while it is connected. `clockOffsetMs`: how far its clock was ahead (negative:
 * behind), with the time that the message took. `load`: processes that wanted a processor in the last minute.
 */
export const machineConditionView = z.object({
  at: epochMs,
  clockOffsetMs: z.number(),
  /** Tools, and the programs of agent profiles by the profile's name. `forbidden`: its owner does not let it be started. */
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
  /** Of the disk on which checkouts are made; null: the machine could not read it. */
  disk: space.nullable(),
});

/** How a machine over SSH is reached, and how far its gateway is with it. */
export const sshView = z.object({
  connection: sshConnection,
  /** The gateway that serves it now; null: none does. */
  gateway: z.string().nullable(),
  onlyGateway: z.string().nullable(),
  /** Rises with each gateway that takes it. */
  epoch: z.number().int(),
  state: z.enum(['waiting', 'connecting', 'key-unknown', 'key-changed', 'lacks', 'connected', 'lost']),
  /** What is the matter, in words that follow the machine's name; null: nothing is. */
  why: z.string().nullable(),
  /** Whether only a person can bring it on: a key, a login, a host that is another one. */
  isFinal: z.boolean(),
  /** Of the key that it shows and that a person may confirm; null: none. */
  fingerprint: z.string().nullable(),
  /** Of the keys by which it is known. */
  pinned: z.array(z.string()).readonly(),
  findings: z.array(hostFinding).readonly(),
});

/** A checked `sshView`. */
export type SshView = z.infer<typeof sshView>;

/** A gateway: its name, its state, and the machines that it serves. */
export const gatewayView = z.object({
  name: z.string(),
  state: machineState,
  lastSeenAt: epochMs.nullable(),
  version: z.string().nullable(),
  machines: z.array(z.string()).readonly(),
});

/** A checked `gatewayView`. */
export type GatewayView = z.infer<typeof gatewayView>;

/**
 * One machine as `drover machines` shows it. `facts` is what it said of itself at its last hello; `workers` counts the
 * those on it; `lastSeenAt` is null until its first hello.
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
  /** How many workers it takes at most; null: any number. */
  capacity: z.number().int().nullable(),
  /** Where people reach it by ssh; null: not set. */
  address: z.string().nullable(),
  /** Null: it has not said how it is. */
  condition: machineConditionView.nullable(),
  /** Null: its agent runs on it. */
  ssh: sshView.nullable(),
  /** What is wrong with what it said within minutes, in words that follow its name: too little disk or memory, a clock that is off. */
  warnings: z.array(z.string()).readonly(),
  lastSeenAt: epochMs.nullable(),
  /** The address of the coordinator that it dialled at its last hello. */
  dialledUrl: z.string().nullable(),
  revokedAt: epochMs.nullable(),
  /** Since when a new key of it is waited for. */
  rotateSince: epochMs.nullable(),
  /** Why it gets no new work; null: it gets some. `drain`: its workers leave it, and what those that are left wait for. */
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

/** A checked `machineView`. */
export type MachineView = z.infer<typeof machineView>;

/** The answer to a request about a machine: the machine, and the names of the workers that are, or were, on it. */
export const machineRequestView = z.object({ machine: machineView, workers: z.array(z.string()).readonly() });

/** A checked `machineOrderView`. */
export type MachineRequestView = z.infer<typeof machineRequestView>;

/** The answer to a drain. `replaced`: the unfinished drain that this one takes the place of; null: there was none. */
export const drainView = machineRequestView.extend({
  replaced: z.object({ by: z.string(), since: epochMs, deadline: epochMs.nullable() }).nullable(),
});

/** A checked `drainView`. */
export type DrainView = z.infer<typeof drainView>;

/** A join token, the identity of the coordinator that it holds, and until when it is good, epoch milliseconds. */
export const invitationView = z.object({
  token: z.string(),
  coordinator: z.string(),
  expiresAt: epochMs,
  /** The configured address by which machines reach the coordinator; null where there is none. */
  url: z.string().nullable(),
});

/** A checked `invitationView`. */
export type InvitationView = z.infer<typeof invitationView>;

/** The use cases of machines. An unknown name is refused with those that there are. */
export interface MachineFleet {
  listMachines(by: Actor): Promise<readonly MachineView[]>;
  /** Makes a join token. The machine will pin the identity that it holds. */
  invite(input: z.infer<typeof inviteInput>, by: Actor): Promise<InvitationView>;
  /** Refused with `name-taken`, or `not-found` for a gateway that is not there. */
  addMachine(input: z.infer<typeof addMachineInput>, by: Actor): Promise<Outcome<MachineRequestView>>;
  /** Refused with `not-shown` unless the host shows a key of this fingerprint, which is not trusted. */
  trustMachine(input: z.infer<typeof trustMachineInput>, by: Actor): Promise<Outcome<MachineRequestView>>;
  listGateways(by: Actor): Promise<readonly GatewayView[]>;
  /** The machine is refused from now on, until it is invited again. */
  revokeMachine(input: z.infer<typeof machineInput>, by: Actor): Promise<Outcome<MachineRequestView>>;
  /** The machine makes a new key at its next hello. Refused with `revoked`. */
  rotateMachine(input: z.infer<typeof machineInput>, by: Actor): Promise<Outcome<MachineRequestView>>;
  /** It gets no new work from now on. */
  cordonMachine(input: z.infer<typeof machineInput>, by: Actor): Promise<Outcome<MachineRequestView>>;
  /** It gets work again, and no more workers leave it. */
  uncordonMachine(input: z.infer<typeof machineInput>, by: Actor): Promise<Outcome<MachineRequestView>>;
  /** What work it is for. Refused with `not-labelled` for a label that it is to lose and does not have, and with `invalid` for too many. */
  labelMachine(input: z.infer<typeof labelMachineInput>, by: Actor): Promise<Outcome<MachineRequestView>>;
  /** It gets no new work, and its workers move to other machines. Asked again, the newest deadline counts, and the answer says what it replaces. */
  drainMachine(input: z.infer<typeof drainMachineInput>, by: Actor): Promise<Outcome<DrainView>>;
  /** Refused with `has-workers` unless forced; then they are forgotten, and everything on the machine stays. */
  removeMachine(input: z.infer<typeof removeMachineInput>, by: Actor): Promise<Outcome<MachineRequestView>>;
}
