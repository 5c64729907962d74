// Makes the repositories of a demo, and reads what is in their `main` at the end.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Place } from './place.ts';
import { done } from './stage.ts';

/** Makes a repository with one commit. */
export async function makeRepository(place: Place, at: string, readme: string): Promise<void> {
  await mkdir(at, { recursive: true });
  await writeFile(join(at, 'README.md'), readme);
  await git(place, at, 'init', '--quiet', '--initial-branch=main');
  await git(place, at, 'add', '.');
  const person = ['-c', 'user.name=You', '-c', 'user.email=you@example.com'];
  await git(place, at, ...person, 'commit', '--quiet', '--message', FIRST);
}

/** Subject of the first commit. */
export const FIRST = 'A repository with one commit';

/** The log of `main` with the files of each commit. */
export async function log(place: Place): Promise<string> {
  const text = await git(place, place.source, 'log', '--stat=60', '--format=%h %s', 'main');
  return text.replaceAll(/\n\n/gu, '\n');
}

/** Checks that `main` has these commits beside the first, and these files. @throws with the difference. */
export async function checkMain(
  place: Place,
  { at, subjects, files }: { at: string; subjects: readonly string[]; files: Readonly<Record<string, string>> },
): Promise<void> {
  const found = (await git(place, at, 'log', '--format=%s', 'main')).split('\n').toSorted();
  const wanted = [...subjects, FIRST].toSorted();
  if (found.join('\n') !== wanted.join('\n'))
    throw new Error(`main of ${at} has the commits ${found.join(' | ')}, expected ${wanted.join(' | ')}`);
  for (const [file, text] of Object.entries(files)) {
    const present = await git(place, at, 'show', `main:${file}`);
    if (present !== text) throw new Error(`${file} in main of ${at} holds:\n${present}\nexpected:\n${text}`);
  }
}

export async function git(place: Place, at: string, ...args: readonly string[]): Promise<string> {
  return done(['git', '-C', at, ...args], { env: place.env, cwd: place.base });
}
