/** What must a machine know to act for a worker? */
import type { Seat } from '@drover/protocol';
import type { Project, WorkerRow } from '@drover/store';

/** The seat that goes with each command. */
export function seatOf({ id, name, options }: WorkerRow, project: Project): Seat {
  return {
    workerId: id,
    name,
    profile: options.profile,
    model: options.model,
    skipPermissions: options.skipPermissions,
    allowedTools: [...options.allowedTools],
    sessionWidth: options.sessionWidth,
    sessionHeight: options.sessionHeight,
    project: {
      id: project.id,
      root: project.root,
      source: project.source,
      defaultBranch: project.defaultBranch,
      copyFiles: [...project.config.copyFiles],
      validate: project.config.validate.map((words) => [...words]),
      validateTimeoutMs: project.config.validateTimeoutMs,
      runHooks: project.config.runHooks,
    },
  };
}

/** Where a worker's worktree lies on its machine. Source: docs/architecture.md, git. */
export function worktreeOf(project: Project, name: string): string {
  return `${project.root}/.worktrees/${name}`;
}
