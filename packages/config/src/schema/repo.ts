// Defines the table `[repo]`: where the code of a project is, and how it is checked.
import { BRANCH_PREFIX, branchPrefixProblem, sourceProblem } from '@drover/core';
import { z } from 'zod';
import { command } from './profile.ts';
import { publishing } from './publishing.ts';
import { repoWorker } from './repo-worker.ts';

/** The options of `[repo]`. */
export const repo = z
  .strictObject({
    source: z
      .string()
      .min(1)
      .superRefine((text, context) => {
        const message = sourceProblem(text);
        if (message !== null) context.addIssue({ code: 'custom', message });
      })
      .default('.')
      .describe(
        'The git repository for accepted work: a path (relative to this file, `~/` is home), or a URL that each machine reaches, to which Drover pushes (`copy_files` finds nothing there).',
      ),
    home: z
      .string()
      .min(1)
      .optional()
      .describe(
        "The machine with the directory `repo.source`: others exchange commits with it through the coordinator. Unset: the machine whose agent runs in the project's Drover root.",
      ),
    default_branch: z
      .string()
      .min(1)
      .optional()
      .describe('Branch that work starts from and merges into. Unset: the branch that the source has checked out.'),
    copy_files: z
      .array(z.string().min(1))
      .default([])
      .describe(
        'Globs of ignored files that a build needs, which Drover copies from the source into each worktree, but no symbolic links and files over 256 MiB. `drover status`, `why`, `review` and `doctor` name files that were not copied, and globs that match nothing.',
      ),
    keep: z
      .array(z.string().min(1))
      .default([])
      .describe(
        'Globs of ignored files that count as work: `["notes/**", "*.sqlite"]`. Checkpoints and the trash hold them; Drover removes a worker that has one only with `--force`.',
      ),
    validate: z
      .array(command)
      .default([])
      .describe(
        'Commands that must pass before work is merged: `[["npm", "test"]]`. They run when a turn ends with a commit, and again on a merge with a newer default branch.',
      ),
    validate_on: z
      .array(z.string().min(1))
      .default([])
      .describe(
        "Machines for the validation commands of a merge: the first connected one runs them, under its owner's rules, in a landing worktree of its own. If none is connected, and before review, the work's machine runs them.",
      ),
    setup: z
      .array(command)
      .default([])
      .describe(
        'Commands that make a fresh checkout ready for `repo.validate`: `[["npm", "ci"]]`. They run when Drover makes a landing worktree, in which it checks merges, and have the source and time limit of the validation commands.',
      ),
    validate_from: z
      .enum(['config', 'repository'])
      .default('config')
      .describe(
        'Source of the validation commands: `repo.validate`, or `.drover/checks.toml` at the newest commit of the default branch, which workers change only by accepted work. The file has `validate`, `setup`, `worker_setup` (as `repo.worker.setup`) and `validate_timeout_secs`.',
      ),
    validate_timeout_secs: z
      .int()
      .min(1)
      .max(86_400)
      .default(900)
      .describe('Seconds that each validation command may take.'),
    preamble: z.string().default('').describe("Project conventions, in every prompt after Drover's own opening."),
    branch_prefix: z
      .string()
      .superRefine((text, context) => {
        const message = branchPrefixProblem(text);
        if (message !== null) context.addIssue({ code: 'custom', message });
      })
      .default(BRANCH_PREFIX)
      .describe(
        "First part of workers' branches: `drover` makes `drover/NAME`. Choose another if the repository has a branch of that very name. It stays while the project has workers.",
      ),
    follow: z
      .enum(['nothing', 'upstream'])
      .default('nothing')
      .describe(
        "Updates of the default branch. `upstream`: Drover fast-forwards the source's default branch to its upstream before a task, a rebase and a candidate, and after a merge, never over changed files of yours. If both have commits that the other lacks, it only says so. A `repo.source` that is an address is always at its newest commit.",
      ),
    agent_push: z
      .boolean()
      .default(false)
      .describe(
        "Let agents push: `origin` of a worker's clone then is the address to which the source pushes. Otherwise, and from submodules always, git refuses their pushes and says why.",
      ),
    run_hooks: z.boolean().default(false).describe("Let the repository's own git hooks run in worktrees."),
    ...publishing,
    worker: repoWorker,
  })
  .prefault({})
  .describe('The project: its repository, and what a worker needs to build and check it.');
