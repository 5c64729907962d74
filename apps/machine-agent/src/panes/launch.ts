/** With which words is a coding agent started? From the profile's template; no part of it is a shell string. */
import type { Launch } from '@drover/core';
import type { Seat } from '@drover/protocol';
import type { PaneProgram } from '@drover/tmux';
import type { AgentProfile } from './agent-profile.ts';

/** What fills the template. */
export interface LaunchFacts {
  readonly seat: Seat;
  readonly launch: Launch;
  /** Absolute path of the worktree. */
  readonly cwd: string;
  /** The worker's own settings file; null when the profile takes none. */
  readonly settingsFile: string | null;
}

/** The program of a worker's pane. */
export function paneProgram(agent: AgentProfile, facts: LaunchFacts): PaneProgram {
  const { seat } = facts;
  const { unset } = agent.profile.launch.env;
  return {
    cwd: facts.cwd,
    argv: [...agent.program, ...launchArgs(agent, facts), ...agent.args],
    env: { ...agent.env, DROVER_WORKER: seat.name, DROVER_ROOT: seat.project.root },
    unsetEnv: [...unset],
  };
}

function launchArgs({ profile }: AgentProfile, { seat, launch, settingsFile }: LaunchFacts): readonly string[] {
  const { session, resume, model, permissions, allowedTools, settings } = profile.launch;
  const conversation = launch.kind === 'resume' ? resume : session;
  return [
    ...fill(conversation, 'session', launch.conversation),
    ...fill(model, 'model', seat.model),
    ...(seat.skipPermissions ? permissions.skip : permissions.ask),
    ...fill(allowedTools, 'tools', seat.allowedTools.length === 0 ? null : seat.allowedTools.join(',')),
    ...fill(settings, 'file', settingsFile),
  ];
}

function fill(template: readonly string[] | null, name: string, value: string | null): readonly string[] {
  if (template === null || value === null) return [];
  return template.map((word) => word.replaceAll(`{${name}}`, () => value));
}
