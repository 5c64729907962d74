// Makes the demo's repository, and reads what is in its `main` at the end.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DemoFailure } from './failure.ts';
import { run } from './programs.ts';
import type { Place } from './place.ts';

/** Makes a repository with one commit. */
export async function makeRepository(place: Place): Promise<void> {
  await writeFile(join(place.source, 'README.md'), '# Greeter\n\nKnows what to say when people come and go.\n');
  await git(place, 'init', '--quiet', '--initial-branch=main');
  await git(place, 'add', '.');
  const person = ['-c', 'user.name=You', '-c', 'user.email=you@example.com'];
  await git(place, ...person, 'commit', '--quiet', '--message', 'A repository with one commit');
}

/** The log of `main` with the files of each commit. */
export async function log(place: Place): Promise<string> {
  const text = await git(place, 'log', '--stat=60', '--format=%h %s', 'main');
  return text.replaceAll(/\n\n/gu, '\n');
}

/** The subjects of the commits in `main`, newest first. */
export async function subjects(place: Place): Promise<readonly string[]> {
  return (await git(place, 'log', '--format=%s', 'main')).split('\n');
}

/** The lines of a file in `main`. */
export async function linesOf(place: Place, file: string): Promise<readonly string[]> {
  return (await git(place, 'show', `main:${file}`)).split('\n');
}

/** Lists uncommitted changes in the person's own checkout. */
export function changes(place: Place): Promise<string> {
  return git(place, 'status', '--porcelain');
}

async function git(place: Place, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run('git', args, { env: place.env, cwd: place.source });
  if (status !== 0) throw new DemoFailure(`git ${args.join(' ')} failed: ${stderr}`);
  return stdout.trimEnd();
}
