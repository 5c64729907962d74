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
  .regex(/^[^\S\p{C}]*[^\p{C}\s/][^\p{C}/]*$/u, 'The name of a project must be one line without "/"');

/** Maximum length of a new name: a longer name pushes other columns out of tables. */
const NEW_NAME_MAX = 100;

/** The name of a project that a person adds. The project of a root has the name of its directory, whatever it is. */
export const newProjectName = projectName
  .max(NEW_NAME_MAX, `The name of a project may have at most ${NEW_NAME_MAX} characters`)
  .regex(/^[^-]/u, 'The name of a project must not start with a dash, which commands read as an option')
  .regex(/^(?!\.{1,2}$)/u, 'The name of a project must not be "." or ".."');

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

/** Names of machines: the first that is connected runs the checks of merges. */
const validateOn = z.array(home).max(50).readonly();

/** Source of the checks: none, or `.drover/checks.toml` of the newest main. */
const checks = z.enum(['none', 'repository']);

/** A new project. `home` is the machine that has the repository if the source is a directory. */
export const addProjectInput = z.object({ name: newProjectName, source, branch, home: home.nullable(), checks });

/** Changes of a project; an absent field stays. */
export const editProjectInput = z.object({
  name: projectName,
  source: source.optional(),
  branch: branch.optional(),
  home: home.nullable().optional(),
  checks: checks.optional(),
  validateOn: validateOn.optional(),
});

/**
 * A document that describes a project: the tables of a `drover.toml` that are about the project. Source and branch are
 * separate fields, because only the person's machine can resolve a path or the branch of a source. `force`: applies
 * also if the project is that of a root, or its workers stand on commits of another source. `dryRun`: only reports the
 * changes.
 */
export const applyProjectInput = z.object({
  name: projectName,
  source,
  branch,
  toml: z.string().max(262_144),
  /** The name of the file, for people. */
  from: z.string().min(1).max(4_096),
  force: z.boolean(),
  dryRun: z.boolean(),
});

/** A setting that a document changes, by its dotted name, in JSON; null: the setting was absent, or is removed. */
export const settingChangeView = z.object({
  key: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

export type SettingChangeView = z.infer<typeof settingChangeView>;

/** Changes of an applied document. `workers`: a sentence for each worker whose settings change. */
export const appliedView = z.object({
  name: z.string(),
  outcome: z.enum(['added', 'changed', 'unchanged']),
  dryRun: z.boolean(),
  changes: z.array(settingChangeView).readonly(),
  workers: z.array(z.string()).readonly(),
});

export type AppliedView = z.infer<typeof appliedView>;

/** A person's decision to give or refuse these kinds of trust to a project; null: a person is asked again when something asks for it. */
export const trustInput = z.object({
  name: projectName,
  kinds: z.array(z.enum(TRUST_KINDS)).min(1).max(TRUST_KINDS.length).readonly(),
  isTrusted: z.boolean().nullable(),
});

export const projectInput = z.object({ name: z.string().min(1).max(NAME_MAX) });

/** The project's place on one machine. `error`: reason why the place could not be made there. */
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
  /** Source of the repository. */
  source: z.string(),
  defaultBranch: z.string(),
  workers: z.number().int(),
});

export type ProjectView = z.infer<typeof projectView>;

/** Trust of a project in what its files may do. `lets`: its effect. `isDecided`: a person decided so, for this project. */
export const trustView = z.object({
  kind: z.enum(TRUST_KINDS),
  lets: z.string(),
  is: z.enum(['given', 'refused', 'asked']),
  isDecided: z.boolean(),
});

/** A project with its places. `home`: the machine with the repository, or the reason why none is known; null if the source is an address. */
export const projectPageView = projectView.extend({
  home: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('machine'), name: z.string() }),
      z.object({ kind: z.literal('none'), why: z.string() }),
    ])
    .nullable(),
  /** `config`: checks of its drover.toml. */
  checks: z.enum(['none', 'repository', 'config']),
  /** Machines, of which the first that is connected runs the checks of merges; none: the machine of the first work runs them. */
  validateOn: z.array(z.string()).readonly(),
  /** `upstream`: the default branch is brought to the branch that it follows. */
  follow: z.enum(['nothing', 'upstream']),
  /** The Drover root whose drover.toml describes the project; null: `drover project` or `drover project apply` keeps it. */
  root: z.string().nullable(),
  /** The document of `drover project apply` that describes the project; null: there is none. */
  appliedFrom: z.string().nullable(),
  /** Every kind of trust. `asked`: a person is asked when something first asks for it. */
  trust: z.array(trustView).readonly(),
  workerNames: z.array(z.string()).readonly(),
  checkouts: z.array(checkoutView).readonly(),
});

export type ProjectPageView = z.infer<typeof projectPageView>;

/** The use cases of projects. A refusal of an unknown name lists the known names. */
export interface ProjectFleet {
  listProjects(by: Actor): Promise<readonly ProjectView[]>;
  project(input: z.infer<typeof projectInput>, by: Actor): Promise<Outcome<ProjectPageView>>;
  /** Refuses with `name-taken`, or with `invalid` if a directory has no home. */
  addProject(input: z.infer<typeof addProjectInput>, by: Actor): Promise<Outcome<ProjectPageView>>;
  /** Refuses with `invalid`, `of-a-root`, and `has-workers`. */
  applyProject(input: z.infer<typeof applyProjectInput>, by: Actor): Promise<Outcome<AppliedView>>;
  /** Refuses with `of-a-root`, and with `has-workers` if workers would get another source or branch. */
  editProject(input: z.infer<typeof editProjectInput>, by: Actor): Promise<Outcome<ProjectPageView>>;
  /** Holds for all workers of the project, from the next set-up of a place. */
  trustProject(input: z.infer<typeof trustInput>, by: Actor): Promise<Outcome<ProjectPageView>>;
  /** Refuses with `has-workers` or `has-queue`. The history of the project stays. */
  removeProject(input: z.infer<typeof projectInput>, by: Actor): Promise<Outcome<ProjectPageView>>;
}
