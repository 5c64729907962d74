// Defines the options of `drover.toml`, with the type, the default and the meaning of each.
import { workerNameProblem } from '@drover/core';
import type { PolicyChanges, PolicyValue } from '@drover/core';
import { z } from 'zod';
import { agent } from './agent.ts';
import { budget } from './budget.ts';
import { chat } from './chat.ts';
import { allowedHosts, allowedOrigins, answersTo, publicUrl, trustedProxies, webhookHosts } from './door.ts';
import { databaseDirectUrl, databaseUrl, tracesUrl } from './database.ts';
import { email } from './email.ts';
import { escalation } from './escalation.ts';
import { logLevel } from './log.ts';
import { account, profile, profileName } from './profile.ts';
import { repo } from './repo.ts';

const workerName = z.string().superRefine((name, context) => {
  const problem = workerNameProblem(name);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

const defaults = z
  .strictObject({
    profile: profileName
      .default('claude')
      .describe('Agent profile: `claude`, `codex`, `opencode`, `gemini`, `copilot`, `qwen`, `pi` or `sim`.'),
    model: z
      .string()
      .min(1)
      .optional()
      .describe("Model of the coding agent, such as `opus`. Unset: the program's own default."),
    skip_permissions: z
      .boolean()
      .default(true)
      .describe(
        'Start coding agents so that they do not ask before each tool, such as by `--dangerously-skip-permissions`.',
      ),
    allowed_tools: z
      .array(z.string().min(1))
      .default(['Bash', 'Edit', 'Read', 'Write', 'Glob', 'Grep'])
      .describe('Tools that the coding agent may use without asking, such as by `--allowedTools`.'),
    patrol_interval_secs: z.int().min(1).max(86_400).default(60).describe('Seconds from one patrol to the next.'),
    sound_on_review: z
      .boolean()
      .default(true)
      .describe('Ring the terminal bell for a review too. For questions and errors it always rings.'),
    desktop_notices: z
      .boolean()
      .default(true)
      .describe(
        'Show a desktop notice when a worker needs you or your review, while `drover up` runs in a terminal there.',
      ),
    role_prompt: z.string().default('').describe('Words added to every prompt.'),
    session_width: z
      .int()
      .min(80)
      .max(2_000)
      .default(500)
      .describe('Columns of a pane. Drover reads prompts and dialogs best on one line.'),
    session_height: z.int().min(20).max(1_000).default(50).describe('Rows of a pane.'),
  })
  .prefault({})
  .describe('Settings of every worker that has none of its own.');

/** The form of changes to the recovery policy; the policy itself says which keys exist and what each takes. */
export const policyChanges: z.ZodType<PolicyChanges> = z.lazy(() => z.record(z.string(), policyValue));

const policyValue: z.ZodType<PolicyValue> = z.lazy(() =>
  z.union(
    [z.number(), z.string(), z.boolean(), z.array(policyValue), policyChanges],
    'expected a number, a text, true or false, a list, or a table of them',
  ),
);

const worker = z.strictObject({
  profile: profileName.optional().describe('Agent profile of this worker.'),
  role: z
    .string()
    .min(1)
    .default('developer')
    .describe("The worker's purpose, by which `drover start --role` finds it, such as `reviewer`."),
  model: z.string().min(1).optional().describe('Model of this worker.'),
  skip_permissions: z.boolean().optional().describe('As in `[defaults]`.'),
  allowed_tools: z.array(z.string().min(1)).optional().describe('As in `[defaults]`.'),
  role_prompt: z.string().optional().describe('As in `[defaults]`.'),
  excluded_from_pool: z.boolean().default(false).describe('Give this worker only tasks that name it.'),
  policy: policyChanges.default({}).describe('Numbers that differ from `[policy]`.'),
});

const machine = z.strictObject({
  env: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      "Environment variables of the programs on that machine, such as `PATH`; they win over its login shell's.",
    ),
});

const coordinator = z
  .strictObject({
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .describe('Address to listen on. Anything but loopback needs TLS in front.'),
    allowed_hosts: allowedHosts,
    allowed_origins: allowedOrigins,
    trusted_proxies: trustedProxies,
    webhook_hosts: webhookHosts,
    public_url: publicUrl,
    port: z
      .int()
      .min(0)
      .max(65_535)
      .default(4680)
      .describe(
        'Port to listen on; 0: any free one. If it is unset and 4680 is taken, `drover up` takes a free one, says so, and keeps it.',
      ),
    database_url: databaseUrl,
    database_direct_url: databaseDirectUrl,
    traces_url: tracesUrl,
    suspect_after_secs: z
      .int()
      .min(3)
      .max(86_400)
      .default(30)
      .describe('Seconds of silence after which a machine gets no new work. It gives six signs of life in that time.'),
    disconnected_after_secs: z
      .int()
      .min(3)
      .max(86_400)
      .default(90)
      .describe(
        'Seconds of silence after which a machine counts as lost: Drover asks people about its workers. At least `suspect_after_secs`.',
      ),
    min_version: z
      .string()
      .regex(
        /^\d+\.\d+$/,
        'expected a version of the agent protocol, such as 2.2, as "drover machine show NAME" tells it',
      )
      .optional()
      .describe(
        'The oldest version of the agent protocol to serve, such as `3.0`. The coordinator refuses older agents and gateways, and names the command that upgrades them. Unset: all that this build can serve.',
      ),
    parcel_max_mib: z
      .int()
      .min(1)
      .max(4_096)
      .default(1_024)
      .describe(
        'MiB of one parcel between machines, such as a checkpoint restored elsewhere. It lies in the database for an hour; all parcels take at most 4096 MiB.',
      ),
    log_level: logLevel
      .meta({ env: ['DROVER_LOG'] })
      .describe(
        "Least level of the coordinator's log. Unset: `drover up` shows warnings and errors on the terminal, and keeps the rest in its file.",
      ),
  })
  .refine((one) => one.database_direct_url === undefined || one.database_url !== undefined, {
    path: ['database_direct_url'],
    error: 'expected coordinator.database_url beside it: that of the pooler',
  })
  .refine(({ public_url: url, allowed_hosts: allowed }) => url === undefined || answersTo(url, allowed), {
    path: ['public_url'],
    error: 'expected its host in coordinator.allowed_hosts too: the coordinator refuses requests under other names',
  })
  .refine((one) => one.disconnected_after_secs >= one.suspect_after_secs, {
    path: ['disconnected_after_secs'],
    error: 'expected at least coordinator.suspect_after_secs: a machine is suspect before it is lost',
  })
  .prefault({})
  .describe('The coordinator decides everything and keeps all state in the database.');

const queue = z
  .strictObject({
    take: z
      .boolean()
      .default(true)
      .describe('Let idle workers of the pool take items of the work queue, the most urgent first.'),
    max_items: z
      .int()
      .min(1)
      .max(10_000)
      .default(100)
      .describe('Items that wait or are worked on, at most. The log names what a full queue left out.'),
  })
  .prefault({})
  .describe('The work queue: tasks that people add for any worker, and those that recovery files.');

const redact = z
  .strictObject({
    names: z
      .array(
        z
          .string()
          .regex(
            /^(?=.*[A-Za-z0-9])[\w*]+$/u,
            'expected a name of a variable, in which * stands for any letters: *_KEY',
          ),
      )
      .default([])
      .describe(
        'Names of secrets beside the known ones (`*API_KEY`, `*TOKEN`, `*PASSWORD` and the like), in capitals or not: `*_KEY`, `DB_PASS`. Drover takes out the value behind such a name, and anywhere the value of such a variable of this environment or of `[profiles.<name>.env]`.',
      ),
    files: z
      .array(z.string().min(1))
      .default([])
      .describe(
        'Files of secrets (relative to this file, read again when they change): `NAME=value` lines as in `.env`, or one secret on each line. Values under 8 characters, plain words and numbers stay.',
      ),
  })
  .prefault({})
  .describe(
    'Secrets that Drover takes out of logs and of everything that leaves this machine. Write no values here: name them, or their files.',
  );

/** The whole of `drover.toml`. Descriptions, defaults and `env` names in it are what the documentation prints. */
export const configSchema = z.strictObject({
  defaults,
  repo,
  workers: z.record(workerName, worker).default({}).describe('One table per worker that differs from `[defaults]`.'),
  profiles: z
    .record(profileName, profile)
    .default({})
    .describe('One table per agent profile that starts in another way here.'),
  accounts: z
    .record(profileName, account)
    .default({})
    .describe(
      'One table per account with a provider. When one is at its limit, a worker between tasks starts under the next one of its profile, in the order of this file; in a turn it waits.',
    ),
  machines: z
    .record(z.string().min(1), machine)
    .default({})
    .describe('One table per machine over SSH that a gateway here serves in another way, by its name in Drover.'),
  queue,
  budget,
  escalation,
  email,
  coordinator,
  agent,
  chat,
  redact,
  policy: policyChanges
    .default({})
    .describe(
      'Values of the recovery policy that differ from its defaults (docs/recovery-reference.md), such as `crash = { countMax = 5 }`. `drover debug policy show` prints those in force, `drover debug policy check` mistakes.',
    ),
});

/** Everything that can be configured, with every default in place. */
export type Config = DeepReadonly<z.output<typeof configSchema>>;

/** The same type with every property at every depth read-only. Changes of the policy, which nest without end, are so already. */
export type DeepReadonly<T> = PolicyChanges extends T
  ? T
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;
