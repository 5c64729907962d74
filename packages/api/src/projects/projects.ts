/** Projects: what clients send and see, and the use cases. */
import { isAddress, sourceProblem, TRUST_KINDS } from '@drover/core';
import { epochMs, NAME_MAX, uuid } from '@drover/protocol';
import { z } from 'zod';
import type { Outcome } from '../outcome.ts';
import type { Actor } from '../people.ts';

/** The name of a project: a directory's name, so that it can stand before that of a worker (`shop/adam`). */
export const projectName = z
  .string()
  .max(NAME_MAX)
  .regex(/^[^\S\p{C}]*[^\p{C}\s/][^\p{C}/]*$/u, 'The name of a project is one line without "/"');

/** Longer names push all else out of the tables in which they stand. */
const NEW_NAME_MAX = 100;

/** The name of a project that a person adds. That of a root has the name of its directory, whatever it is. */
export const newProjectName = projectName
  .max(NEW_NAME_MAX, `The name of a project has at most ${NEW_NAME_MAX} characters`)
  .regex(/^[^-]/u, 'The name of a project begins with no dash: commands would take it for an option')
  .regex(/^(?!\.{1,2}$)/u, 'The name of a project is neither "." nor ".."');

const source = z
  .string()
  .min(1)
  .max(4_096)
  .superRefine((text, context) => {
    const problem =
      sourceProblem(text) ??
      (text.startsWith('/') || isAddress(text)
        ? null
        : 'expected an address such as git@example.com:team/shop.git, or a path from the root directory of its machine');
    if (problem !== null) context.addIssue({ code: 'custom', message: `The source: ${problem}` });
  });

const BRANCH = /^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|\.lock$|[./]$))[^\p{C}\s~^:?*[\\]+$/u;

const branch = z
  .string()
  .max(NAME_MAX)
  .superRefine((name, context) => {
    if (BRANCH.test(name)) return;
    const message = `${JSON.stringify(name)} is not the name of a branch; expected one such as main or release/2.0`;
    context.addIssue({ code: 'custom', message });
  });

const home = z.string().min(1).max(NAME_MAX);

/** Names of machines, the first of which that is connected runs the checks of merges. */
const validateOn = z.array(home).max(50).readonly();

/** What work must pass: nothing, or what `.drover/checks.toml` of the newest main says. */
const checks = z.enum(['none', 'repository']);

/** A new project. `home` is the machine that has the repository, where the source is a directory. */
export const addProjectInput = z.object({ name: newProjectName, source, branch, home: home.nullable(), checks });

/** Changes of a project; what is absent stays. */
export const editProjectInput = z.object({
  name: projectName,
  source: source.optional(),
  branch: branch.optional(),
  home: home.nullable().optional(),
  checks: checks.optional(),
  validateOn: validateOn.optional(),
});

/**
 * A document that says what a project is: the tables of a `drover.toml` that are about the project. Source and branch are named beside it,
 * because what a path or the branch of a source is, the person's machine knows. `force`: also where the project is that of a root, or its workers
 * stand on commits of another source. `dryRun`: only says what would change.
 */
export const applyProjectInput = z.object({
  name: projectName,
  source,
  branch,
  toml: z.string().max(262_144),
  /** The file, for people. */
  from: z.string().min(1).max(4_096),
  force: z.boolean(),
  dryRun: z.boolean(),
});

/** A setting that a document changes, by its dotted name, in JSON; null: it was not there, or goes. */
export const settingChangeView = z.object({
  key: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

/** A checked `settingChangeView`. */
export type SettingChangeView = z.infer<typeof settingChangeView>;

/** What an applied document changes. `workers`: a sentence for each worker that runs with something else from then on. */
export const appliedView = z.object({
  name: z.string(),
  outcome: z.enum(['added', 'changed', 'unchanged']),
  dryRun: z.boolean(),
  changes: z.array(settingChangeView).readonly(),
  workers: z.array(z.string()).readonly(),
});

/** A checked `appliedView`. */
export type AppliedView = z.infer<typeof appliedView>;

/** A person's word on whether these tools are trusted in a project. */
export const trustInput = z.object({
  name: projectName,
  kinds: z.array(z.enum(TRUST_KINDS)).min(1).max(TRUST_KINDS.length).readonly(),
  isTrusted: z.boolean(),
});

/** A project by its name. */
export const projectInput = z.object({ name: z.string().min(1).max(NAME_MAX) });

/** The project's place on one machine. `error` says why it could not be made there. */
export const checkoutView = z.object({
  machine: z.string(),
  root: z.string(),
  state: z.enum(['ready', 'failed']),
  error: z.string().nullable(),
  at: epochMs,
});

/** A project in a list. */
export const projectView = z.object({
  id: uuid,
  name: z.string(),
  /** Where its repository comes from. */
  source: z.string(),
  defaultBranch: z.string(),
  workers: z.number().int(),
});

/** A checked `projectView`. */
export type ProjectView = z.infer<typeof projectView>;

/** One project with its places. `home`: the machine with the repository, or why none is known; null where the source is an address. */
export const projectPageView = projectView.extend({
  home: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('machine'), name: z.string() }),
      z.object({ kind: z.literal('none'), why: z.string() }),
    ])
    .nullable(),
  /** `config`: those of its drover.toml. */
  checks: z.enum(['none', 'repository', 'config']),
  /** The machines of which the first that is connected runs the checks of merges; none: that of the first work does. */
  validateOn: z.array(z.string()).readonly(),
  /** `upstream`: the default branch is brought to the branch that it follows. */
  follow: z.enum(['nothing', 'upstream']),
  /** The Drover root whose drover.toml says what it is; null: it is kept by `drover project` or `drover apply`. */
  root: z.string().nullable(),
  /** The document of `drover apply` that says what it is; null: there is none. */
  appliedFrom: z.string().nullable(),
  /** Absent: nobody has said anything of it. */
  trust: z.partialRecord(z.enum(TRUST_KINDS), z.boolean()),
  workerNames: z.array(z.string()).readonly(),
  checkouts: z.array(checkoutView).readonly(),
});

/** A checked `projectPageView`. */
export type ProjectPageView = z.infer<typeof projectPageView>;

/** The use cases of projects. An unknown name is refused with those that there are. */
export interface ProjectFleet {
  listProjects(by: Actor): Promise<readonly ProjectView[]>;
  project(input: z.infer<typeof projectInput>, by: Actor): Promise<Outcome<ProjectPageView>>;
  /** Refused with `name-taken`, or `invalid` where a directory has no home. */
  addProject(input: z.infer<typeof addProjectInput>, by: Actor): Promise<Outcome<ProjectPageView>>;
  /** Refused with `invalid`, `of-a-root`, and `has-workers`. */
  applyProject(input: z.infer<typeof applyProjectInput>, by: Actor): Promise<Outcome<AppliedView>>;
  /** Refused with `of-a-root`, and with `has-workers` where workers would have another source or branch. */
  editProject(input: z.infer<typeof editProjectInput>, by: Actor): Promise<Outcome<ProjectPageView>>;
  /** For all workers of the project, from the next time that a place is set up. */
  trustProject(input: z.infer<typeof trustInput>, by: Actor): Promise<Outcome<ProjectPageView>>;
  /** Refused with `has-workers` or `has-queue`. Its history stays. */
  removeProject(input: z.infer<typeof projectInput>, by: Actor): Promise<Outcome<ProjectPageView>>;
}
