/** Makes the command words of a coding agent from the profile's template; no part of it is a shell string. */
import { dirname } from 'node:path';
import { RESULT_VARIABLE, TOOL_POLICY_VARIABLE } from '@drover/core';
import type { Launch } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import type { Profile } from '@drover/screen';
import type { PaneProgram } from '@drover/tmux';
import type { Service } from '../signals/service.ts';
import { UNSET } from '../cage/mounts.ts';
import type { AgentProfile } from './agent-profile.ts';

/** Values for the template. */
interface LaunchFacts {
  readonly settings: WorkerSettings;
  readonly launch: Launch;
  /** Absolute path of the worktree. */
  readonly cwd: string;
  /** Settings file of the worker alone; null when the profile takes none. */
  readonly settingsFile: string | null;
  /** File in which `drover hook`, called in this session, records failed tools. */
  readonly failuresFile: string;
  /** File in which `drover`, called in this session, finds the coordinator and the worker's token. */
  readonly accessFile: string;
  /** Directory in which the agent of a run's task leaves its result. */
  readonly results: string;
  /** PATH on which it finds `drover`; null: the one that it has. */
  readonly searchPath: string | null;
  /** Address at which the program must serve its state; null when it serves none. */
  readonly service: Service | null;
  /** Command words before the program, which put it into a cage; none without a cage. */
  readonly cage: readonly string[];
}

/** Names the file of a worker's access, which no other worker has. */
export const ACCESS_VARIABLE = 'DROVER_WORKER_FILE';

/** Program of a worker's pane. */
export function paneProgram(agent: AgentProfile, facts: LaunchFacts): PaneProgram {
  const { settings } = facts;
  const { unset } = agent.profile.launch.env;
  return {
    cwd: facts.cwd,
    argv: [...facts.cage, ...agent.program, ...launchArgs(agent, facts), ...agent.args],
    env: {
      // A place that lost its .git may lie inside another repository, which its agent must not commit to.
      GIT_CEILING_DIRECTORIES: dirname(facts.cwd),
      ...settings.env,
      ...agent.env,
      ...(facts.searchPath !== null && { PATH: facts.searchPath }),
      DROVER_WORKER: settings.name,
      DROVER_ROOT: settings.project.root,
      [ACCESS_VARIABLE]: facts.accessFile,
      DROVER_TOOL_FAILURES: facts.failuresFile,
      [RESULT_VARIABLE]: facts.results,
      ...(settings.toolPolicy !== undefined && { [TOOL_POLICY_VARIABLE]: settings.toolPolicy }),
      ...serviceEnv(agent, facts.service),
    },
    unsetEnv: [...unset, ...(facts.cage.length > 0 ? UNSET : [])],
  };
}

function launchArgs(
  { profile }: AgentProfile,
  { settings, launch, settingsFile, results, service }: LaunchFacts,
): readonly string[] {
  const { model, permissions, allowedTools, settings: hooks } = profile.launch;
  return [
    ...conversationArgs(profile, launch),
    ...fill(model, 'model', settings.model),
    ...(settings.skipPermissions ? permissions.skip : permissions.ask),
    ...fill(allowedTools, 'tools', settings.allowedTools.length === 0 ? null : settings.allowedTools.join(',')),
    ...fill(hooks, 'file', settingsFile),
    ...fill(profile.launch.results.args, 'directory', results),
    ...fill(profile.launch.serve?.args ?? null, 'port', service === null ? null : String(service.port)),
  ];
}

/** Passes the password in the environment, which other users of the machine cannot read; arguments they can. */
function serviceEnv({ profile }: AgentProfile, service: Service | null): Readonly<Record<string, string>> {
  const { serve } = profile.launch;
  if (serve === null || service === null) return {};
  const filled = Object.entries(serve.env).map(([name, value]) => [
    name,
    value.replaceAll('{password}', () => service.password),
  ]);
  return Object.fromEntries(filled);
}

/** Arguments for the conversation: a program that names its conversations itself resumes the latest of the worktree, which is the worker's own. */
function conversationArgs({ launch: template }: Profile, launch: Launch): readonly string[] {
  if (launch.kind === 'fresh') return fill(template.session, 'session', launch.conversation);
  if (template.session === null) return template.resumeLast ?? [];
  return fill(template.resume, 'session', launch.conversation);
}

function fill(template: readonly string[] | null, name: string, value: string | null): readonly string[] {
  if (template === null || value === null) return [];
  return template.map((word) => word.replaceAll(`{${name}}`, () => value));
}
