/**
 * VS Code shows the work file by file, both sides side by side. The two sides are copies of git's objects in a directory of their own, so
 * that the editor opens neither the worktree, which its agent goes on to change, nor settings and tasks that the repository has for editors.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReviewView } from '@drover/api';
import { HostError } from '@drover/host';
import { CommandError } from '../../../exit-codes.ts';
import { many } from '../../../terminal/style.ts';
import type { Surroundings } from '../../../surroundings.ts';
import { openObjects, type ReviewObjects } from './objects.ts';
import { writtenPath } from './paths.ts';

/** Files that are opened, each as a tab: more than anybody finds their way among. */
const OPENED_MAX = 20;
/** How long git may take to read one object, in milliseconds. */
const READ_MS = 30_000;
/** Copies stay for as long as somebody may have them open, in milliseconds. */
const KEPT_MS = 24 * 3_600_000;
const PREFIX = 'drover-review-';
/** Opens the change in a new window. @returns what a person should know about it. @throws {CommandError} */
export async function openInEditor(surroundings: Surroundings, review: ReviewView): Promise<string> {
  await using objects = await openObjects(surroundings, review);
  await removeOldCopies(surroundings);
  const changes = await changesOf(objects);
  const directory = await mkdtemp(path.join(surroundings.environment.temporary, PREFIX));
  const left: string[] = [];
  let opened = 0;
  for (const change of changes) {
    const sides = opened < OPENED_MAX ? await copySides(objects, directory, change) : null;
    if (sides === null) left.push(change.path);
    else {
      await runEditor(surroundings, [opened === 0 ? '--new-window' : '--reuse-window', '--diff', ...sides]);
      opened += 1;
    }
  }
  const where =
    opened === 0
      ? ''
      : `VS Code shows ${many(opened, 'file')}; the left side is before, the right side after the work.`;
  const others = left.map(writtenPath).join(', ');
  return [where, ...(left.length === 0 ? [] : [`Not opened: ${others}. See them with --interface diff.`])]
    .filter(Boolean)
    .join('\n');
}

interface Change {
  readonly path: string;
  readonly from: string;
  /** Null: there is none on that side. */
  readonly objects: readonly [before: Side | null, after: Side | null];
}

interface Side {
  readonly mode: string;
  readonly id: string;
}

async function changesOf({ git, range }: ReviewObjects): Promise<Change[]> {
  const args = ['diff', '--raw', '-z', '--no-abbrev', '--find-renames', '--ignore-submodules=none', ...range, '--'];
  const records = (await git(args, { timeoutMs: READ_MS })).stdout.split('\0');
  const changes: Change[] = [];
  for (let index = 0; (records[index] ?? '').startsWith(':'); index += 2) {
    const [before = '', after = '', was = '', is = '', status = ''] = (records[index] ?? '').slice(1).split(' ');
    const from = records[index + 1] ?? '';
    if (/^[RC]/.test(status)) index += 1;
    changes.push({ from, path: records[index + 1] ?? '', objects: [sideOf(before, was), sideOf(after, is)] });
  }
  return changes;
}

function sideOf(mode: string, id: string): Side | null {
  return mode === '000000' ? null : { mode, id };
}

/** Writes both sides under their own names, as the editor shows them. @returns null for what can be no file here, or is too large. */
async function copySides(objects: ReviewObjects, directory: string, change: Change): Promise<[string, string] | null> {
  const [before, after] = change.objects;
  const places = [path.join(directory, 'before', change.from), path.join(directory, 'after', change.path)] as const;
  const isSafe = [change.from, change.path].every((name) => isPlainPath(name));
  if (!isSafe) return null;
  try {
    for (const [place, side] of [
      [places[0], before],
      [places[1], after],
    ] as const) {
      await mkdir(path.dirname(place), { recursive: true });
      // `wx`: where two names are one on this disk, neither is shown in place of the other.
      await writeFile(place, await contentOf(objects, side), { flag: 'wx', mode: 0o400 });
    }
  } catch (error) {
    const isTooLarge = error instanceof CommandError && error.cause instanceof HostError;
    if (error instanceof CommandError && !isTooLarge) throw error;
    return null;
  }
  return [...places];
}

/** A tree can be made with names that lead out of it. */
function isPlainPath(name: string): boolean {
  return name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/** A link is shown by its target, a submodule by its commit, what is not there as nothing. */
async function contentOf(objects: ReviewObjects, side: Side | null): Promise<Uint8Array | string> {
  if (side === null) return '';
  if (side.mode === '160000') return `Subproject commit ${side.id}\n`;
  return (await objects.git(['cat-file', 'blob', side.id], { timeoutMs: READ_MS })).stdoutBytes;
}

/** Those of earlier reviews; only what this user made. */
async function removeOldCopies({ environment, now }: Surroundings): Promise<void> {
  for (const name of await readdir(environment.temporary)) {
    if (!name.startsWith(PREFIX)) continue;
    const directory = path.join(environment.temporary, name);
    const facts = await lstat(directory).catch(() => null);
    const isOwn = facts?.isDirectory() === true && facts.uid === process.getuid?.();
    if (isOwn && now() - facts.mtimeMs > KEPT_MS) await rm(directory, { recursive: true, force: true });
  }
}

/** The program starts the editor and ends. What it prints is not shown. */
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
