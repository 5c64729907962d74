// Reads what a configuration says of its project and of the project's workers, and finds the part of a document for that.
import { parse, stringify } from 'smol-toml';
import { budgetsOf } from '../budget.ts';
import { oncallPolicy } from '../oncall/oncall.ts';
import { policyDocuments } from '../policy/policy.ts';
import type { Config } from '../schema/schema.ts';
import { workerOptions } from '../worker-options.ts';

/** The tables of `drover.toml` that are about the project; the others are about the process that reads the file. */
export const PROJECT_TABLES = ['repo', 'defaults', 'workers', 'policy', 'budget', 'escalation'] as const;

/** Settings of how the project is worked on, who is asked, and what its workers run with. Source and branch are not part of them. */
export type ProjectSettings = ReturnType<typeof projectSettings>;

/** Settings that the project's workers run with: those that have a table of their own, and all others. */
export type WorkersSaid = ReturnType<typeof workersSaid>;

/** The settings of a checked configuration. */
export function projectSettings(config: Config) {
  const { repo } = config;
  return {
    copyFiles: repo.copy_files,
    keep: repo.keep,
    validate: repo.validate,
    setup: repo.setup,
    workerSetup: repo.worker.setup,
    workerEnv: repo.worker.env,
    validateFrom: repo.validate_from,
    validateOn: repo.validate_on,
    validateTimeoutMs: repo.validate_timeout_secs * 1_000,
    runHooks: repo.run_hooks,
    branchPrefix: repo.branch_prefix,
    agentPush: repo.agent_push,
    follow: repo.follow,
    publish: repo.publish,
    openRequest: repo.open_request,
    preamble: repo.preamble,
    home: repo.home ?? null,
    policy: policyDocuments(config),
    budget: budgetsOf(config),
    escalation: oncallPolicy(config),
    workers: workersSaid(config),
  };
}

function workersSaid(config: Config) {
  const named = Object.keys(config.workers).map((name) => [name, said(config, name)] as const);
  // Workers without a table of their own get what holds for all.
  return { defaults: said(config, ''), named: Object.fromEntries(named) };
}

function said(config: Config, name: string) {
  const own = workerOptions(config, name);
  const { session_width: sessionWidth, session_height: sessionHeight } = config.defaults;
  return {
    profile: own.profile,
    role: own.role,
    model: own.model ?? null,
    rolePrompt: own.role_prompt,
    skipPermissions: own.skip_permissions,
    allowedTools: own.allowed_tools,
    excludedFromPool: own.excluded_from_pool,
    sessionWidth,
    sessionHeight,
  };
}

function isOfProject([name]: readonly [string, unknown]): boolean {
  return PROJECT_TABLES.some((one) => one === name);
}

/** The part of a document that is about the project, and the names of the tables that are not. @param text TOML that was checked. */
export function projectPart(text: string): { readonly toml: string; readonly others: readonly string[] } {
  const tables = Object.entries(parse(text));
  return {
    toml: stringify(Object.fromEntries(tables.filter(isOfProject))),
    others: tables.filter((table) => !isOfProject(table)).map(([name]) => name),
  };
}
