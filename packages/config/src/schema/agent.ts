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
        "Directory in which this machine makes its checkouts, one for each project (relative to this file, `~/` is home). Unset: `workspace` in Drover's data directory.",
      ),
    checkouts: z
      .record(z.string().min(1), z.string().min(1))
      .default({})
      .describe(
        'Checkouts elsewhere, by the name of their project: `{ shop = "~/work/shop" }`. An empty directory or one that is not there is filled. The Drover root in which the agent starts is the checkout of the project of that name.',
      ),
    inherit: z
      .array(z.string().regex(/^[\w*]+$/u, 'expected a name of a variable, in which * stands for any letters: AWS_*'))
      .default([])
      .describe(
        'Variables of the place where Drover is started that agents get, such as `["ANTHROPIC_API_KEY", "AWS_*"]`, besides what the login shell of the user sets; `["*"]`: all. Sessions of other agents, of git hooks and of editors are never among them, nor Drover\'s own variables. One program alone gets a variable by `[profiles.<name>.env]`.',
      ),
    shard_size: z
      .int()
      .min(1)
      .max(20)
      .default(10)
      .describe('Workers per tmux server. A server that dies ends only its own panes; each costs about 9 MB.'),
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
        'Repositories that workers here may clone and merge into, and directories that hold such repositories. This is how the machine names projects: any coordinator can claim a name. Unset: any.',
      ),
    allowed_profiles: z
      .array(profileName)
      .optional()
      .describe('Agent profiles that may start here. Unset: any that this machine knows.'),
    allowed_tools: z
      .array(z.string().min(1))
      .optional()
      .describe('Tools that coding agents here may get without asking, at most. Unset: what the coordinator asks for.'),
    skip_permissions: z
      .boolean()
      .default(true)
      .describe(
        'Whether the coordinator may start agents that do not ask before each tool. `false`: every agent here asks.',
      ),
    validate: z
      .enum(['any', 'repository', 'none'])
      .default('any')
      .describe(
        'Which checks may run here: those that the coordinator names (`any`), only those of `.drover/checks.toml` at the newest commit of the default branch (`repository`), or none. A check that may not run fails the merge. The same holds for `repo.worker.setup`, without which a worker does not start unless a person says so; variables of `repo.worker.env` come with `any` alone.',
      ),
    allowed_copy_files: z
      .array(z.string().min(1))
      .optional()
      .describe('Globs of `repo.copy_files` that this machine obeys, written the same way. Unset: any.'),
    allowed_trust: z
      .array(z.enum(TRUST_KINDS))
      .optional()
      .describe(
        'Kinds of trust that a project may have here, whatever a person decides for it with `drover project trust`. Unset: any; `direnv` and `mise` also need `validate = "any"`.',
      ),
    run_hooks: z
      .boolean()
      .default(true)
      .describe("Whether the coordinator may let the repository's own git hooks run. `false`: never."),
    open_request: z
      .boolean()
      .default(true)
      .describe(
        'Whether the program that the coordinator names in `repo.open_request` may run here. `false`: branches are pushed, and people open requests themselves.',
      ),
    terminals: z
      .enum(['type', 'watch', 'none'])
      .default('type')
      .describe(
        "What people may do at the panes of this machine by way of the coordinator (`drover attach`, `drover logs --pane --follow`): type, only watch, or neither. An ssh of their own is not Drover's to forbid.",
      ),
    log_level: logLevel.meta({ env: ['DROVER_LOG'] }).describe('How much the machine agent writes to its log.'),
  })
  .prefault({})
  .describe('The machine agent of this machine. The coordinator cannot change it.');
