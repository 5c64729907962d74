// Defines `[agent]`: which coordinator a machine belongs to, and what its owner allows.
import { shownNameProblem, TRUST_KINDS } from '@drover/core';
import { z } from 'zod';
import { logLevel } from './log.ts';
import { profileName } from './profile.ts';

const machineName = z.string().superRefine((name, context) => {
  const problem = shownNameProblem('a machine', name);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

/** The table `[agent]`. */
export const agent = z
  .strictObject({
    coordinator_url: z
      .url({ protocol: /^https?$/u })
      .optional()
      .meta({ env: ['DROVER_URL'] })
      .describe('Coordinator that the machine agent joins. Unset: the one that `drover up` starts beside it.'),
    name: machineName.optional().describe('Name of this machine. Unset: its host name.'),
    workspace: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Directory of this machine's checkouts, one for each project (relative to this file, `~/` is home). Unset: `workspace` in Drover's data directory.",
      ),
    checkouts: z
      .record(z.string().min(1), z.string().min(1))
      .default({})
      .describe(
        'Checkouts elsewhere, by project: `{ shop = "~/work/shop" }`. Drover fills an empty or missing directory. The Drover root in which the agent starts is the checkout of the project of that name.',
      ),
    inherit: z
      .array(z.string().regex(/^[\w*]+$/u, 'expected a name of a variable, in which * stands for any letters: AWS_*'))
      .default([])
      .describe(
        'Variables that agents get from the shell that starts Drover, such as `["ANTHROPIC_API_KEY", "AWS_*"]`, besides those of the login shell; `["*"]`: all but those of other agents\' sessions, git hooks, editors and Drover. `[profiles.<name>.env]` gives a variable to one program alone.',
      ),
    shard_size: z
      .int()
      .min(1)
      .max(20)
      .default(10)
      .describe('Workers per tmux server. A dying server ends only its own panes; each costs about 9 MB.'),
    allowed_roots: z
      .array(z.string().min(1))
      .default([])
      .describe(
        "Directories in which worktrees may lie, whatever the coordinator commands, compared after links are resolved. Empty: the workspace, `agent.checkouts` and Drover's own root.",
      ),
    allowed_sources: z
      .array(z.string().min(1))
      .optional()
      .describe(
        'Repositories, or directories of repositories, that workers here may clone and merge into. They identify projects, because any coordinator can claim a name. Unset: any.',
      ),
    allowed_profiles: z
      .array(profileName)
      .optional()
      .describe('Agent profiles that may start here. Unset: any that this machine knows.'),
    allowed_tools: z
      .array(z.string().min(1))
      .optional()
      .describe('Tools that coding agents here may use without asking, at most. Unset: what the coordinator asks for.'),
    skip_permissions: z
      .boolean()
      .default(true)
      .describe(
        'Whether the coordinator may start agents that do not ask before each tool. `false`: every agent here asks, and a program that cannot ask starts in a cage alone.',
      ),
    validate: z
      .enum(['any', 'repository', 'none'])
      .default('any')
      .describe(
        'Checks and set-up that may run here: those that the coordinator names (`any`), only those of `.drover/checks.toml` at the newest commit of the default branch (`repository`), or `none`. A forbidden check fails the merge; a worker whose set-up is forbidden starts only if a person says so. Only `any` lets in variables of `repo.worker.env`.',
      ),
    allowed_copy_files: z
      .array(z.string().min(1))
      .optional()
      .describe('Globs of `repo.copy_files` that this machine obeys, written the same way. Unset: any.'),
    allowed_trust: z
      .array(z.enum(TRUST_KINDS))
      .optional()
      .describe(
        'Kinds of trust (`drover project trust`) that a project may have here, whatever a person decides. Unset: any; `direnv` and `mise` also need `validate = "any"`.',
      ),
    run_hooks: z
      .boolean()
      .default(true)
      .describe("Whether the coordinator may let the repository's own git hooks run. `false`: never."),
    open_request: z
      .boolean()
      .default(true)
      .describe(
        'Whether the program of `repo.open_request` may run here. `false`: Drover pushes branches, and people open requests themselves.',
      ),
    terminals: z
      .enum(['type', 'watch', 'none'])
      .default('type')
      .describe(
        'What people may do at panes here through the coordinator (`drover attach`, `drover logs --pane --follow`): type, only watch, or neither. Drover cannot forbid an ssh of their own.',
      ),
    log_level: logLevel.meta({ env: ['DROVER_LOG'] }).describe("Least level of the machine agent's log."),
  })
  .prefault({})
  .describe('The machine agent of this machine. The coordinator cannot change it.');
