/** Git for one project. */
import type { Host } from '@drover/host';
import type { WorkerSettings } from '@drover/protocol';
import { type Git, gitOn } from '@drover/worktree';

/** Git with the project's hooks only if the project allows them. */
export function gitFor(host: Host, worker: WorkerSettings, signal: AbortSignal): Git {
  const { runHooks: hooks, branchPrefix, keep } = worker.project;
  return { ...gitOn(host), hooks, branchPrefix, keep, signal };
}
