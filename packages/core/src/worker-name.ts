// Validates the names of workers.

/**
 * Form of a worker's name: 1 to 31 characters, lower-case letters, digits and hyphens, a letter first. A name becomes the branch
 * `drover/<name>`, the directory `.worktrees/<name>` and the tmux session `drover-<name>`, so it may hold nothing that git, a case-blind file
 * system or tmux (which rewrites `.` and `:`) reads in its own way.
 */
export const WORKER_NAME = /^[a-z][a-z0-9-]{0,30}$/u;

/**
 * Says why a worker cannot have this name.
 *
 * @returns A sentence for a person that quotes the name and states the rule, or null if the name is good.
 */
export function workerNameProblem(name: string): string | null {
  if (WORKER_NAME.test(name)) return null;
  const rule = 'use 1 to 31 lower-case letters, digits and hyphens, starting with a letter';
  return `${JSON.stringify(name)} cannot be a worker's name: ${rule}, such as "adam" or "api-2"`;
}
