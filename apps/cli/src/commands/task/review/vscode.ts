/**
 * Shows the work in VS Code file by file, both sides side by side. The two sides are copies of git's objects in a
 * directory of their own, so that the editor opens neither the worktree, which its agent goes on to change, nor
 * settings and tasks that the repository has for editors.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ReviewView } from '@drover/api';
import { CommandError } from '../../../exit-codes.ts';
import { many } from '../../../terminal/style.ts';
import type { Surroundings } from '../../../surroundings.ts';
import { openObjects } from './objects.ts';
import { writtenPath } from './paths.ts';
import { shownFiles, writeSides } from './sides.ts';

/** Maximum number of files that are opened, each as a tab: more than a person can use. */
const OPENED_MAX = 20;
/** Milliseconds that copies stay: somebody may have them open. */
const KEPT_MS = 24 * 3_600_000;
const PREFIX = 'drover-review-';
/** Opens the change in a new window. @returns a note for the person. @throws {CommandError} */
export async function openInEditor(surroundings: Surroundings, review: ReviewView): Promise<string> {
  await using objects = await openObjects(surroundings, review);
  await removeOldCopies(surroundings);
  const changes = await shownFiles(objects, review);
  const directory = await mkdtemp(path.join(surroundings.environment.temporary, PREFIX));
  const left: string[] = [];
  let opened = 0;
  for (const change of changes) {
    const sides = opened < OPENED_MAX ? await writeSides(directory, change) : null;
    if (sides === null) left.push(change.path);
    else {
      await runEditor(surroundings, [opened === 0 ? '--new-window' : '--reuse-window', '--diff', ...sides]);
      opened += 1;
    }
  }
  const where =
    opened === 0
      ? ''
      : `VS Code shows ${many(opened, 'file')}; the left side is before the work, the right side after it.`;
  const others = left.map(writtenPath).join(', ');
  return [where, ...(left.length === 0 ? [] : [`Not opened: ${others}. See them with --interface diff.`])]
    .filter(Boolean)
    .join('\n');
}

/** Removes copies of earlier reviews; only copies of this user. */
async function removeOldCopies({ environment, now }: Surroundings): Promise<void> {
  for (const name of await readdir(environment.temporary)) {
    if (!name.startsWith(PREFIX)) continue;
    const directory = path.join(environment.temporary, name);
    const facts = await lstat(directory).catch(() => null);
    const isOwn = facts?.isDirectory() === true && facts.uid === process.getuid?.();
    if (isOwn && now() - facts.mtimeMs > KEPT_MS) await rm(directory, { recursive: true, force: true });
  }
}

/** Starts the editor by a program that then ends. The program's output is not shown. */
async function runEditor({ environment }: Surroundings, args: readonly string[]): Promise<void> {
  const child = spawn('code', args, { stdio: 'ignore', env: environment.variables });
  const [status] = (await Promise.race([
    once(child, 'close'),
    once(child, 'error').then(([error]: unknown[]) => {
      throw new CommandError('environment', `Cannot run code: ${String(error)}. Use --interface diff`);
    }),
  ])) as [number | null];
  if (status === 0) return;
  const what = `code ended with status ${status ?? 'unknown'}`;
  throw new CommandError('environment', `${what}: is there a screen for VS Code here? Use --interface diff`);
}
