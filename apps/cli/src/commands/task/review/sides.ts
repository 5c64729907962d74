/** Both sides of changed files, as files of this machine: from git's objects if these are here, else from the worker's machine. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReviewView } from '@drover/api';
import { HostError } from '@drover/host';
import { CommandError } from '../../../exit-codes.ts';
import { readChanges } from './changes.ts';
import type { ShownFile } from './changes.ts';
import type { ReviewObjects } from './objects.ts';

/** Lists the files to show. `objects` null: the worker's machine was asked. @throws {CommandError} if that machine does not say. */
export async function shownFiles(objects: ReviewObjects | null, review: ReviewView): Promise<readonly ShownFile[]> {
  if (objects !== null) return readChanges(objects);
  if (review.sides !== undefined)
    return review.sides.map(({ content, ...names }) => ({ ...names, read: () => Promise.resolve(content) }));
  const { name, machine } = review.worker;
  throw new CommandError(
    'environment',
    `${name} works on the machine "${machine}", which did not send both versions: use --interface diff`,
  );
}

/** Writes both sides under their own names. @returns null for a name that can be no file here, or an unknown side. */
export async function writeSides(
  directory: string,
  file: ShownFile,
): Promise<readonly [before: string, after: string] | null> {
  const places = [path.join(directory, 'before', file.from), path.join(directory, 'after', file.path)] as const;
  if (![file.from, file.path].every((name) => isPlainPath(name))) return null;
  try {
    const content = await file.read();
    if (content === null) return null;
    for (const side of [0, 1] as const) {
      await mkdir(path.dirname(places[side]), { recursive: true });
      // `wx`: if two names are the same file on this disk, neither is shown in place of the other.
      await writeFile(places[side], content[side], { flag: 'wx', mode: 0o400 });
    }
  } catch (error) {
    const isTooLarge = error instanceof CommandError && error.cause instanceof HostError;
    if (error instanceof CommandError && !isTooLarge) throw error;
    return null;
  }
  return places;
}

/** Tells whether a path stays in the directory: a tree can be made with names that lead out of it. */
function isPlainPath(name: string): boolean {
  return name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
