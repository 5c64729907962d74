/** The settings that a machine needs to act for a worker. */
import { BRANCH_PREFIX } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import type { Machine, WorkerRow } from '@drover/store';
import type { Placed } from '../projects/place.ts';

/** The settings that go with each command, of a project as the worker's machine has it. */
export function workerSettings(
  { id, name, options }: Pick<WorkerRow, 'id' | 'name' | 'options'>,
  project: Placed,
): WorkerSettings {
  return {
    workerId: id,
    name,
    profile: options.profile,
    model: options.model,
    skipPermissions: options.skipPermissions,
    allowedTools: [...options.allowedTools],
    sessionWidth: options.sessionWidth,
    sessionHeight: options.sessionHeight,
    project: projectOf(project),
  };
}

/** Where a worker's worktree lies on its machine. Source: docs/mechanics.md, git. */
export function worktreeOf(project: Placed, name: string): string {
  return `${project.root}/.worktrees/${name}`;
}

/** For a question about a project that is about no worker. */
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
    validate: project.config.validate.map((words) => [...words]),
    setup: (project.config.setup ?? []).map((words) => [...words]),
    validateFrom: project.config.validateFrom ?? 'order',
    validateTimeoutMs: project.config.validateTimeoutMs,
    runHooks: project.config.runHooks,
    branchPrefix: project.config.branchPrefix ?? BRANCH_PREFIX,
    agentPush: project.config.agentPush ?? false,
    follow: project.config.follow ?? 'nothing',
    publish: project.config.publish ?? 'main',
    openRequest: [...(project.config.openRequest ?? [])],
  };
}
