/** The settings that a machine needs to act for a worker. */
import type { WorkerSettings } from '@drover/protocol';
import type { Machine, Project, WorkerRow } from '@drover/store';

/** The settings that go with each command. */
export function workerSettings({ id, name, options }: WorkerRow, project: Project): WorkerSettings {
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
export function worktreeOf(project: Project, name: string): string {
  return `${project.root}/.worktrees/${name}`;
}

/** For a question about a project that is about no worker. */
export function machineSettings({ id, name }: Machine, project: Project): WorkerSettings {
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

function projectOf(project: Project): WorkerSettings['project'] {
  return {
    id: project.id,
    root: project.root,
    source: project.source,
    defaultBranch: project.defaultBranch,
    copyFiles: [...project.config.copyFiles],
    validate: project.config.validate.map((words) => [...words]),
    setup: (project.config.setup ?? []).map((words) => [...words]),
    validateFrom: project.config.validateFrom ?? 'order',
    validateTimeoutMs: project.config.validateTimeoutMs,
    runHooks: project.config.runHooks,
  };
}
