/** Defines what a machine has of a project, whatever the database says. For `drover doctor`. */
import { z } from 'zod';
import { epochMs, line, LIST_MAX, text, uuid } from '../names.ts';
import { reading } from '../command.ts';
import { workerSettings } from '../worker-settings.ts';

/** A branch `drover/<name>`; `ahead` counts its commits that the default branch has not, `base` is where it left it. */
const branch = z.object({
  name: line,
  head: line,
  ahead: z.number().int(),
  base: line.nullable(),
  subject: text,
});

/** A worktree below the project's clone, by the worker's name. `dirty` counts changed files; null: git could not say. */
const worktree = z.object({
  name: line,
  path: line,
  branch: line.nullable(),
  gone: z.boolean(),
  dirty: z.number().int().nullable(),
  rebasing: z.boolean(),
  unmerged: z.number().int(),
});

/** A session with a worker's options, and its screen as it is now. */
const session = z.object({
  workerId: uuid,
  name: line,
  profile: line.nullable(),
  conversation: line.nullable(),
  incarnation: line,
  dead: z.boolean(),
  screen: reading.nullable(),
});

/** A program and what it says of itself; null: it is missing or fails. */
const program = z.object({ name: line, path: line, version: text.nullable() });

/**
 * A coding agent, or a session that one keeps in the background. `what`: it in words; `end`: the command that ends it. `why`: it was started in a
 * session of a worker, and has outlived it; somebody else has started it; or the system does not tell where it works.
 */
const looseAgent = z.object({
  what: text,
  directory: text,
  end: text,
  why: z.enum(['outlived', 'stranger', 'unread']),
});

/** Lists are cut at so many entries: a machine has a few dozen workers, and an answer must fit a message. */
export const INVENTORY_ENTRIES_MAX = 500;

/** The answer to the query `inventory`. */
export const inventory = z.object({
  kind: z.literal('inventory'),
  /** The machine's clock. */
  at: epochMs,
  git: z.object({
    name: line.nullable(),
    email: line.nullable(),
    /** `core.hooksPath`, and whether that directory is there. */
    hooksPath: z.object({ path: line, there: z.boolean() }).nullable(),
  }),
  programs: z.array(program).max(LIST_MAX).readonly(),
  freeBytes: z.number().int().nonnegative(),
  worktrees: z.array(worktree).max(INVENTORY_ENTRIES_MAX).readonly(),
  /** Directories where worktrees belong, that git does not know. */
  strays: z.array(text).max(INVENTORY_ENTRIES_MAX).readonly(),
  branches: z.array(branch).max(INVENTORY_ENTRIES_MAX).readonly(),
  sessions: z.array(session).max(INVENTORY_ENTRIES_MAX).readonly(),
  /** Coding agents that work in worktrees and are of none of its sessions; null: the machine cannot tell. */
  looseAgents: z.array(looseAgent).max(INVENTORY_ENTRIES_MAX).readonly().nullable(),
  /** Workers of this project that the machine remembers, also those that the coordinator has forgotten. */
  workers: z.array(workerSettings).max(INVENTORY_ENTRIES_MAX).readonly(),
  /** The number of the last command that the machine was given for each worker. */
  commands: z.record(uuid, z.number().int()),
});
/** A checked `inventory`. */
export type Inventory = z.infer<typeof inventory>;
