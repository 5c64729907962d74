/**
 * Defines the messages of a machine agent and a coordinator: the same over a WebSocket and over HTTP long poll. Observations go up at least once
 * and are stored once; commands come down at least once and are carried out once.
 */
import { z } from 'zod';
import { agentState } from './agent-state.ts';
import { condition } from './machine/condition.ts';
import { conversationAnswer, readConversation } from './machine/conversation.ts';
import { exit } from './machine/exit.ts';
import { inventory } from './machine/inventory.ts';
import { homeQueries, homeResults } from './home.ts';
import { commitName, epochMs, line, LIST_MAX, objectName, text, uuid } from './names.ts';
import { runQueries, runResults } from './run/commits.ts';
import { sha256, TIPS_MAX } from './parcel.ts';
import { reading, command, commandResult } from './command.ts';
import { workerSettings } from './worker-settings.ts';
import { readDiff, reviewNotes, reviewSides, standing } from './review/notes.ts';
import { terminalQueries, terminalResults } from './machine/terminal.ts';
import { usageReports } from './machine/usage.ts';
import { toolFailureReport } from './tool-failure.ts';
import { unreadCommand } from './unread/unread-command.ts';

/** Lines of `git status` that a machine tells at most. */
export const STATUS_LINES_MAX = 60;

/** Questions that change no worker: the answer goes to the person who asked, past the policy. */
export const query = z.discriminatedUnion('kind', [
  readDiff,
  /** Reads the pane; with `git` also what `git status` prints of the worktree, and then a worker without a session is no failure. */
  z.object({
    kind: z.literal('read-pane'),
    lines: z.number().int().positive().max(50_000),
    git: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('read-screen') }),
  readConversation,
  /** Inventory of the machine for the worker's project; it asks the programs of these agent profiles for their versions. */
  z.object({ kind: z.literal('inventory'), profiles: z.array(text).max(100).readonly() }),
  z.object({ kind: z.literal('read-checkpoint'), commit: commitName }),
  /** The newest commits that the clone's branches have: what a parcel for it may leave out. */
  z.object({ kind: z.literal('tips') }),
  /** Packs a commit, with its history, for a clone that has the others, and uploads it. `resend`: chunks that arrived, too. */
  z.object({
    kind: z.literal('pack'),
    commit: objectName,
    not: z.array(objectName).max(TIPS_MAX).readonly(),
    maxBytes: z.number().int().positive(),
    resend: z.boolean(),
    /** A commit of main, what the worker's branch is at (for a train), or what the depot keeps for a run; absent: of the clone. */
    of: z.enum(['main', 'work', 'run']).optional(),
  }),
  /** Downloads the parcel of a machine and keeps its commit as the worker's checkpoint of this id. Touches no worktree. */
  z.object({
    kind: z.literal('unpack'),
    from: uuid,
    sha256,
    bytes: z.number().int().positive(),
    commit: objectName,
    checkpoint: z.string().max(64),
  }),
  /** Asks whether a worker can move here; with a `move`, its place is frozen until the worker is let in. */
  z.object({ kind: z.literal('expect'), move: z.string().max(64).nullable() }),
  /** Uploads the record that the worker's program keeps of a conversation. */
  z.object({
    kind: z.literal('pack-conversation'),
    conversation: uuid,
    maxBytes: z.number().int().positive(),
    resend: z.boolean(),
  }),
  /** Downloads it and puts it where the worker's program looks for it on this machine. */
  z.object({
    kind: z.literal('place-conversation'),
    from: uuid,
    sha256,
    bytes: z.number().int().positive(),
    conversation: uuid,
    /** Name that the other machine's program gives it. */
    name: uuid,
  }),
  /** The worker is elsewhere: what it left here goes to the trash, if the place is frozen for this move. */
  z.object({ kind: z.literal('leave-place'), move: z.string().max(64) }),
  /** Finds existing work on which a task is to begin, and has it on this machine: a branch, or a pull request. */
  z.object({ kind: z.literal('find-start'), named: line }),
  ...homeQueries,
  ...runQueries,
  ...terminalQueries,
]);
/** A checked `query`. */
export type Query = z.infer<typeof query>;

/** A screen with everything that was made of it: what `drover debug screen explain` shows and `record` keeps. */
const screenAnswer = z.object({
  kind: z.literal('screen'),
  /** The agent profile that read it. */
  profile: line,
  /** `capture-pane -p -e`. */
  ansi: text,
  /** The facts of tmux under tmux's own names, as recorded captures have them. */
  facts: z.record(line, text),
  state: agentState,
  /** The label that a recorded capture of this state has. */
  label: text,
  confidence: z.enum(['high', 'medium', 'low']),
  rule: line,
  evidence: z.array(z.object({ source: text, says: text, seen: text })).max(LIST_MAX),
  fingerprint: line,
});

/** Content of a checkpoint, as far as it is there. */
const checkpointContent = z.object({
  kind: z.literal('checkpoint'),
  /** Reason why it cannot be restored; null: every object of it is there. */
  damage: text.nullable(),
  /** The commit under the uncommitted work. */
  head: line,
  /** Files, at most 500, of `fileCount`. Lines are null for binary files. */
  files: z
    .array(z.object({ path: line, added: z.number().int().nullable(), deleted: z.number().int().nullable() }))
    .max(LIST_MAX),
  fileCount: z.number().int(),
  /** Files that changed and that it does not hold, at most 500. */
  skipped: z.array(z.object({ path: line, why: z.enum(['too-large', 'unreadable']) })).max(LIST_MAX),
  /** Operation that git was in the middle of, such as a rebase; the branch comes back as it was before. */
  during: text.nullable(),
});

/** Result of a query. Texts are cut at 512 KiB and say so. */
export const queryResult = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('diff'),
    text,
    /** The commit that is shown and its tree. */
    head: line,
    tree: line,
    /** The commit against which it is shown. */
    base: line,
    /** A commit on which the work stands and which the default branch does not hold any more. */
    dropped: line.optional(),
    commits: z.array(z.object({ commit: line, subject: text, author: text })).max(LIST_MAX),
    notes: reviewNotes,
    standing,
    /** Sides of the changed files; absent: nobody asked. */
    sides: reviewSides.optional(),
  }),
  z.object({ kind: z.literal('pane'), text, git: z.array(line).max(STATUS_LINES_MAX).readonly().optional() }),
  screenAnswer,
  conversationAnswer,
  inventory,
  checkpointContent,
  z.object({ kind: z.literal('tips'), commits: z.array(objectName).max(TIPS_MAX).readonly() }),
  z.object({
    kind: z.literal('packed'),
    sha256,
    bytes: z.number().int().positive(),
    /** Name that the program gives a conversation. */
    name: uuid.optional(),
  }),
  z.object({ kind: z.literal('unpacked') }),
  /** The version of the worker's program; `keeps`: whether this machine can go on with a conversation that is brought here. */
  z.object({ kind: z.literal('expected'), version: text, keeps: z.boolean() }),
  z.object({ kind: z.literal('placed') }),
  /** `kept`: where the trash is; null: there was nothing. */
  z.object({ kind: z.literal('left'), kept: text.nullable() }),
  /** Commits that the clone lacks, and on which the parcel builds: pack the parcel without leaving anything out. */
  z.object({ kind: z.literal('incomplete'), missing: z.array(line).max(LIST_MAX).readonly() }),
  /** `name`: in words, with where it is. */
  z.object({ kind: z.literal('start-found'), commit: objectName, name: text, ahead: z.number().int().nonnegative() }),
  ...homeResults,
  ...runResults,
  ...terminalResults,
  z.object({ kind: z.literal('failed'), code: line, message: text }),
]);
/** A checked `queryResult`. */
export type QueryResult = z.infer<typeof queryResult>;

/** Agent profiles beside those of the build; a machine that has an older revision replaces its whole set. */
export const profileSet = z.object({
  revision: z.number().int().nonnegative(),
  documents: z
    .array(z.object({ name: line, document: z.unknown() }))
    .max(LIST_MAX)
    .readonly(),
});
/** A checked `profileSet`. */
export type ProfileSet = z.infer<typeof profileSet>;

const commandBody = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('command'),
    seq: z.number().int().positive(),
    command,
    /** A person waits for it: it comes before what Drover does by itself. */
    asked: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('query'), query }),
]);

/** Command to a machine, or a query. Fenced by `epoch`: an agent refuses those of an older one. */
export const commandEnvelope = z.object({
  id: uuid,
  epoch: z.number().int(),
  /** The command may take this long, in milliseconds from its receipt. */
  timeoutMs: z.number().int().positive(),
  settings: workerSettings,
  body: commandBody,
});
/** A checked `command`. */
export type CommandEnvelope = z.infer<typeof commandEnvelope>;

/** Report of what a machine saw or did. */
export const observationBody = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('screen'), workerId: uuid, incarnation: line, reading }),
  z.object({ kind: z.literal('exit'), workerId: uuid, exit }),
  z.object({
    kind: z.literal('result'),
    workerId: uuid,
    commandId: uuid,
    seq: z.number().int(),
    result: commandResult,
  }),
  z.object({ kind: z.literal('answer'), commandId: uuid, result: queryResult }),
  /** A tool of the agent failed, in this life of its pane; null: in an earlier one. */
  z.object({
    kind: z.literal('tool-failed'),
    workerId: uuid,
    incarnation: line.nullable(),
    report: toolFailureReport,
  }),
  ...usageReports,
  /** The whole list of managed panes; sent at each hello and when the tmux server changed. */
  z.object({
    kind: z.literal('panes'),
    panes: z
      .array(z.object({ workerId: uuid, incarnation: line, dead: z.boolean() }))
      .max(LIST_MAX)
      .readonly(),
    /** The machine itself has started again since the list before: what is gone went with all that ran on it. */
    hasRestarted: z.literal(true).optional(),
  }),
]);
/** A checked `observationBody`. */
export type ObservationBody = z.infer<typeof observationBody>;

/** `seq` counts within `agentEpoch`, the identity of the agent's own buffer; both survive its restarts. */
export const observation = z.object({ seq: z.number().int().positive(), at: epochMs, body: observationBody });
/** A checked `observation`. */
export type Observation = z.infer<typeof observation>;

/**
 * Observation of a newer agent that this build cannot read: of another kind, or with other contents. Only its place in the buffer and its kind are
 * kept: it is acknowledged, so that all that comes after it is not held up.
 */
const unreadObservation = z
  .object({ seq: z.number().int().positive(), body: z.object({ kind: z.string().max(100) }) })
  .transform(({ seq, body }) => ({ seq, unread: body.kind }));
/** A checked `unreadObservation`. */
export type UnreadObservation = z.infer<typeof unreadObservation>;

/** Agent → coordinator. */
export const syncRequest = z.object({
  agentEpoch: uuid,
  /** The revision of the profiles that the machine has; 0 for none. */
  profilesRevision: z.number().int().nonnegative().default(0),
  /** Commands that are in the agent's journal now and need not be sent again. */
  acks: z.array(uuid).max(1_000).readonly(),
  /** Condition of the machine, if it was read since it was last reported. An unreadable one is passed over. */
  condition: condition.optional().catch(undefined),
  observations: z
    .array(z.union([observation, unreadObservation]))
    .max(500)
    .readonly(),
});
/** A checked `syncRequest`. */
export type SyncRequest = z.infer<typeof syncRequest>;

/** Coordinator → agent. */
export const syncAnswer = z.object({
  /** Observations of this buffer up to and including this number are stored. */
  ackThrough: z.number().int().nonnegative(),
  /** Each by itself: one that this build cannot read does not hold up the others. */
  commands: z
    .array(z.union([commandEnvelope, unreadCommand(commandEnvelope)]))
    .max(LIST_MAX)
    .readonly(),
  /** Profiles, only when the machine does not have them yet. */
  profiles: profileSet.nullable().default(null),
  nextIntervalMs: z.number().int().positive(),
  /** Tells whether the connection goes on; false: it is over, and the next hello tells what is to be done. */
  registered: z.boolean(),
  /** Reason why it is over, as far as the coordinator says so. */
  reason: z.enum(['revoked', 'removed', 'superseded', 'renew']).nullable().catch(null).default(null),
  epoch: z.number().int(),
  serverTime: epochMs,
  serverVersion: line,
  minVersion: line,
});
/** A checked `syncAnswer`. */
export type SyncAnswer = z.infer<typeof syncAnswer>;
