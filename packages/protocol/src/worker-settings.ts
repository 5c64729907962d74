/** Defines a worker's place on a machine. */
import { TRUST_KINDS } from '@drover/core';
import { z } from 'zod';
import { misfitOf, type Misfit } from './misfit.ts';
import { line, LIST_MAX, text, uuid } from './names.ts';

/** Settings that the machine must know to carry out commands for a worker. Comes with every command, so nothing else must be in step. */
export const workerSettings = z.object({
  workerId: uuid,
  name: line,
  profile: line,
  /** Account that pays, by its name in the machine's `drover.toml`; absent: the first one of the profile there, or the profile's own login. */
  account: line.optional(),
  model: line.nullable(),
  skipPermissions: z.boolean(),
  allowedTools: z.array(text).max(LIST_MAX),
  sessionWidth: z.number().int(),
  sessionHeight: z.number().int(),
  /** Variables of its own, such as a port. */
  env: z.record(text, text),
  /** Rules for failed tools, as JSON, for the hook of its agent; absent: those that Drover ships. */
  toolPolicy: text.optional(),
  project: z.object({
    id: uuid,
    /** Drover's clone of the project on the machine; worktrees live below it. */
    root: line,
    /** The repository that people work in and that accepted work is merged into. */
    source: text,
    /** The source lies on another machine, which the coordinator asks; absent: on this one, or where its address says. */
    elsewhere: z.boolean().optional(),
    defaultBranch: line,
    copyFiles: z.array(text).max(LIST_MAX),
    /** Globs of ignored files that count as work. */
    keep: z.array(text).max(LIST_MAX),
    /** Decisions on what the project's files may do. */
    trust: z.partialRecord(z.enum(TRUST_KINDS), z.boolean()),
    /** Checks before a merge, each a program and its arguments. */
    validate: z.array(z.array(text).min(1).max(LIST_MAX)).max(LIST_MAX),
    /** Commands that make a fresh checkout ready for the checks. */
    setup: z.array(z.array(text).min(1).max(LIST_MAX)).max(LIST_MAX),
    /** Commands that make a worker's place ready for its agent. */
    workerSetup: z.array(z.array(text).min(1).max(LIST_MAX)).max(LIST_MAX),
    /** `repository`: the machine takes checks and set-up from `.drover/checks.toml` of the default branch, not from here. */
    validateFrom: z.enum(['config', 'repository']),
    /** Milliseconds that one check may take. */
    validateTimeoutMs: z.number().int().positive(),
    runHooks: z.boolean(),
    /** Prefix of the branches of workers. */
    branchPrefix: line,
    /** Allows agents to push to `origin` of their clones. */
    agentPush: z.boolean(),
    /** `upstream`: the default branch of the source is brought to its upstream. */
    follow: z.enum(['nothing', 'upstream']),
    /** `branch`: accepted work is pushed as a branch of its own, for people to merge. */
    publish: z.enum(['main', 'branch']),
    /** The program, and its arguments, that asks people to merge such a branch; empty: none. */
    openRequest: z.array(text).max(LIST_MAX),
  }),
});
/** A checked `workerSettings`. */
export type WorkerSettings = z.infer<typeof workerSettings>;

/** Settings that this build cannot read. */
export interface UnreadSettings {
  /** The worker's name, for people; `?` when not even that can be read. */
  readonly unread: string;
  readonly misfit: Misfit;
}

/** Characters of a name that are kept. */
const NAME_MAX = 100;

const named = z.object({ name: z.string() });

/** Takes whatever stands in the place of a worker's settings and is none. Total. */
export const unreadSettings = z.unknown().transform((said): UnreadSettings => ({
  unread: (named.safeParse(said).data?.name ?? '?').slice(0, NAME_MAX),
  misfit: misfitOf(workerSettings, said),
}));
