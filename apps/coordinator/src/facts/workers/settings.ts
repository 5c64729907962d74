/** Builds the settings that a machine needs to act for a worker. */
import { BRANCH_PREFIX, DEFAULT_POLICY, workerEnv } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import type { Machine, Project, WorkerRow } from '@drover/store';
import { policyInForce } from '../policies/in-force.ts';
import type { Placed } from '../projects/place.ts';

/** Builds the settings that go with each command, of a project as the worker's machine has it. */
export function workerSettings(
  { id, name, options }: Pick<WorkerRow, 'id' | 'name' | 'options'>,
  project: Placed,
): WorkerSettings {
  return {
    workerId: id,
    name,
    profile: options.profile,
    ...(options.account !== undefined && { account: options.account }),
    model: options.model,
    skipPermissions: options.skipPermissions,
    allowedTools: [...options.allowedTools],
    sessionWidth: options.sessionWidth,
    sessionHeight: options.sessionHeight,
    env: envOf({ name, options }, project),
    ...toolPolicyOf(name, project),
    project: projectOf(project),
  };
}

/** Returns the variables that the project gives this worker. */
export function envOf(
  { name, options }: Pick<WorkerRow, 'name' | 'options'>,
  { name: project, config }: Pick<Project, 'name' | 'config'>,
): Record<string, string> {
  return { ...workerEnv(config.workerEnv ?? {}, { index: options.index ?? 0, worker: name, project }) };
}

/** Returns the rules for failed tools; none if they are those that Drover ships. */
function toolPolicyOf(name: string, project: Placed): Pick<WorkerSettings, 'toolPolicy'> {
  const { toolFailures } = policyInForce({ policy: DEFAULT_POLICY }, project, name).policy;
  const isChanged = toolFailures !== DEFAULT_POLICY.toolFailures;
  return isChanged ? { toolPolicy: JSON.stringify(toolFailures) } : {};
}

/** Returns the path of a worker's worktree on its machine. Source: docs/git.md, the repositories. */
export function worktreeOf(project: Placed, name: string): string {
  // A machine that was never heard has no path for the worktree.
  return project.root === '' ? '' : `${project.root}/.worktrees/${name}`;
}

/** Builds settings for a question about a project that is about no worker. */
export function machineSettings({ id, name }: Machine, project: Placed): WorkerSettings {
  return {
    workerId: id,
    name,
    profile: '',
    model: null,
    skipPermissions: false,
    allowedTools: [],
    sessionWidth: 80,
    sessionHeight: 24,
    env: {},
    project: projectOf(project),
  };
}

function projectOf(project: Placed): WorkerSettings['project'] {
  return {
    id: project.id,
    root: project.root,
    source: project.source,
    ...(project.elsewhere && { elsewhere: true }),
    defaultBranch: project.defaultBranch,
    copyFiles: [...project.config.copyFiles],
    keep: [...(project.config.keep ?? [])],
    trust: project.trust,
    validate: project.config.validate.map((words) => [...words]),
    setup: (project.config.setup ?? []).map((words) => [...words]),
    workerSetup: (project.config.workerSetup ?? []).map((words) => [...words]),
    validateFrom: project.config.validateFrom ?? 'config',
    validateTimeoutMs: project.config.validateTimeoutMs,
    runHooks: project.config.runHooks,
    branchPrefix: project.config.branchPrefix ?? BRANCH_PREFIX,
    agentPush: project.config.agentPush ?? false,
    follow: project.config.follow ?? 'nothing',
    publish: project.config.publish ?? 'main',
    openRequest: [...(project.config.openRequest ?? [])],
  };
}
