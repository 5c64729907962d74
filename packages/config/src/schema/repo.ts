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
        'The git repository that accepted work goes to: a path (relative to this file, `~/` is home) or a URL that each machine reaches. Accepted work is pushed to a URL; `copy_files` finds nothing there.',
      ),
    home: z
      .string()
      .min(1)
      .optional()
      .describe(
        'The machine that has the repository, where `repo.source` is a directory: other machines get and give commits through the coordinator. Unset: the machine whose agent runs in the Drover root of the project.',
      ),
    default_branch: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Branch that work starts from and is accepted into. Unset: the branch that the source has checked out.',
      ),
    copy_files: z
      .array(z.string().min(1))
      .default([])
      .describe(
        'Globs of ignored files that a build needs, copied from the source into each worktree. Symbolic links and files over 256 MiB are refused. Drover says what was not copied and why, and which glob matches nothing: `drover status`, `drover why`, `drover review`; `drover doctor` says it before a worker starts.',
      ),
    keep: z
      .array(z.string().min(1))
      .default([])
      .describe(
        'Globs of ignored files that count as work, written as for `copy_files`: `["notes/**", "*.sqlite"]`. Checkpoints hold them, a worker that has one is not removed without `--force`, and the trash keeps them.',
      ),
    validate: z
      .array(command)
      .default([])
      .describe(
        'Commands, each a list of words, that must pass before work is merged: `[["npm", "test"]]`. They run when a turn ends with a commit, and again when the work is merged with a newer default branch.',
      ),
    validate_on: z
      .array(z.string().min(1))
      .default([])
      .describe(
        'Names of machines on which the validation commands run when accepted work is merged: on the first of them that is connected, else on the machine of the work that goes first. That machine runs them under the rules of its owner, in a landing worktree of its own. Before review they run on the machine of the worker.',
      ),
    setup: z
      .array(command)
      .default([])
      .describe(
        'Commands, each a list of words, that make a fresh checkout ready for `repo.validate`: `[["npm", "ci"]]`. They run when Drover makes its landing worktree, in which it checks work that is merged with a newer default branch. They come from where the validation commands come from, and each may take as long.',
      ),
    validate_from: z
      .enum(['config', 'repository'])
      .default('config')
      .describe(
        'Where the validation commands come from: `repo.validate`, or the file `.drover/checks.toml` at the newest commit of the default branch, where no worker can change it before a person has accepted the change. The file has `validate`, `setup`, `worker_setup` (as `repo.worker.setup`) and `validate_timeout_secs`.',
      ),
    validate_timeout_secs: z
      .int()
      .min(1)
      .max(86_400)
      .default(900)
      .describe('Seconds that each validation command may take.'),
    preamble: z
      .string()
      .default('')
      .describe('Project conventions, which Drover puts into every prompt after its own opening.'),
    branch_prefix: z
      .string()
      .superRefine((text, context) => {
        const message = branchPrefixProblem(text);
        if (message !== null) context.addIssue({ code: 'custom', message });
      })
      .default(BRANCH_PREFIX)
      .describe(
        'What the branches of workers begin with: `drover` makes `drover/NAME`. Another one is needed where the repository has a branch of that very name. It does not change while the project has workers.',
      ),
    follow: z
      .enum(['nothing', 'upstream'])
      .default('nothing')
      .describe(
        'Whether Drover brings the default branch up to date. `upstream`: before a task begins, work is rebased or made a candidate, and after a merge, Drover fetches the branch that the default branch of the source follows, and moves the default branch forward to it, never over changed files of yours. Where both have commits that the other lacks, it does nothing, and says so. A `repo.source` that is an address is always at its newest commit.',
      ),
    agent_push: z
      .boolean()
      .default(false)
      .describe(
        "Let agents push by themselves: `origin` of a worker's clone then has the address to which the source pushes. Otherwise a push from there is refused, with words that say why. Submodules are refused in any case.",
      ),
    run_hooks: z.boolean().default(false).describe("Let the repository's own git hooks run in worktrees."),
    ...publishing,
    worker: repoWorker,
  })
  .prefault({})
  .describe('The project: where its code is, and what a worker needs to build and check it.');
