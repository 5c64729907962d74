/**
 * Removes locks that a killed git left in a worker's clone. Git does not wait: each commit, and each task, would fail until somebody removes
 * the file.
 */
import { basename } from 'node:path';
import type { Log } from '@drover/base';
import type { Host } from '@drover/host';
import { programsIn } from './programs.ts';

/** Removes the locks, unless a git works in the worktree, or the machine cannot tell (no `/proc`). */
export async function clearDeadLocks(
  { host, log }: { readonly host: Host; readonly log: Log },
  worktree: string,
): Promise<void> {
  const git = `${worktree}/.git`;
  const locks = ((await host.readdir(git)) ?? []).map(({ name }) => name).filter((name) => name.endsWith('.lock'));
  if (locks.length === 0) return;
  const programs = await programsIn(host, worktree);
  if (programs === undefined || programs.some(({ words }) => basename(words[0] ?? '') === 'git')) return;
  for (const name of locks) await host.removeTree(`${git}/${name}`);
  log('warn', `Removed locks that a killed git left in "${git}": ${locks.join(', ')}`);
}
