// Defines `[profiles.<name>]`: how one kind of coding agent is started on this machine, and what it may reach.
import { WORKER_NAME } from '@drover/core';
import { z } from 'zod';

/** Program call as its words, never a shell string: nothing in it is expanded or split again. */
export const command = z.array(z.string()).min(1);

/** Name of an agent profile. */
export const profileName = z
  .string()
  .regex(WORKER_NAME, 'a profile name has 1 to 31 lower-case letters, digits and hyphens, and starts with a letter');

/** A place on this machine that does not depend on where Drover is called. */
const place = z
  .string()
  .regex(/^(?:~\/|\/)./u, 'expected an absolute path, or one that starts with ~/')
  .refine((path) => !path.split('/').includes('..'), 'expected a path without ".."');

/** Table of `[accounts]`. */
export const account = z.strictObject({
  profiles: z
    .array(profileName)
    .default([])
    .describe('Profiles whose agents may be paid by this account, such as `["claude"]`.'),
  env: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      'Environment variables of agents under this account, such as `CODEX_HOME`; they come before those of the profile.',
    ),
  home: place
    .optional()
    .describe(
      "Home directory of agents under this account, which holds the program's login and its settings. Unset: your own.",
    ),
});

/** Table of `[profiles]`. */
export const profile = z.strictObject({
  program: command.optional().describe("Program and first arguments, in place of the profile's."),
  args: z.array(z.string()).default([]).describe("Arguments added after the profile's own."),
  env: z.record(z.string(), z.string()).default({}).describe('Environment variables of the coding agent.'),
  account: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Your name for the account with the provider: its limits pause every worker of the same program and account. Unset: one account for each machine.',
    ),
  inner: z
    .enum(['off', 'subagents', 'all'])
    .optional()
    .describe(
      "Agents that the coding agent may run or talk to (Claude Code alone). `off`: none. `subagents`: its own; no other session reaches it, and none of its work moves to a session that outlives its pane. `all`: as the program's own settings say. Unset: `subagents`.",
    ),
  channel: z
    .boolean()
    .optional()
    .describe(
      'Whether Drover joins the session of a coding agent that lets a second client in (Codex, OpenCode), to give it texts and to hear it, while its screen stays in the pane. `false`: Drover types, and reads the screen. Unset: `true`.',
    ),
  isolation: z
    .enum(['none', 'bubblewrap'])
    .optional()
    .describe(
      "Separation of the coding agent from this machine. `none`: the agent may do what you may. `bubblewrap`: it sees its worktree, a home directory of its own and the machine's programs, and no process, socket or file of Drover's; it starts only where bubblewrap works. Unset: `none`.",
    ),
  isolation_reads: z
    .array(place)
    .optional()
    .describe('More files and directories that an isolated agent may read, such as `~/.cargo`. `~/` is your home.'),
  isolation_writes: z
    .array(place)
    .optional()
    .describe(
      'Files and directories that an isolated agent may also change, such as `~/.cache/npm`. It can change programs there that you or others run.',
    ),
});
