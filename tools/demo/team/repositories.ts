// Makes the two repositories of the demo of a team, and reads what is in them at the end.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DemoFailure } from '../failure.ts';
import { run } from '../programs.ts';
import type { Place } from '../place.ts';
import { DESK } from './team.ts';
import { AT_HOME, BY_ADDRESS, TEAM_TASKS } from './tasks.ts';

/** Maps each project to its repository. */
export function repositoriesOf({ base }: Place): Readonly<Record<string, string>> {
  return { [BY_ADDRESS]: join(base, `${BY_ADDRESS}.git`), [AT_HOME]: join(base, DESK, AT_HOME) };
}

/** Makes both, each with one commit. */
export async function makeRepositories(place: Place): Promise<void> {
  for (const [name, path] of Object.entries(repositoriesOf(place))) {
    const work = name === BY_ADDRESS ? join(place.base, 'first') : path;
    await mkdir(work, { recursive: true });
    await writeFile(join(work, 'README.md'), `# ${name}\n`);
    await git(place, work, 'init', '--quiet', '--initial-branch=main');
    await git(place, work, 'add', '.');
    const person = ['-c', 'user.name=You', '-c', 'user.email=you@example.com'];
    await git(place, work, ...person, 'commit', '--quiet', '--message', 'A repository with one commit');
    if (work !== path) await git(place, place.base, 'clone', '--quiet', '--bare', work, path);
  }
}

/** Each task is one commit in the main of its project, with its file, and nothing else is. @throws {DemoFailure} */
export async function checkTeamMerged(place: Place): Promise<string> {
  for (const [name, path] of Object.entries(repositoriesOf(place))) {
    const tasks = TEAM_TASKS.filter(({ project }) => project === name);
    const found = (await git(place, path, 'log', '--format=%s', 'main')).split('\n');
    const wanted = [...tasks.map(({ subject }) => subject), 'A repository with one commit'];
    if (found.toSorted().join('\n') !== wanted.toSorted().join('\n'))
      throw new DemoFailure(`Not as promised: main of ${name} has: ${found.join(' | ')}`);
    for (const { file, worker } of tasks) {
      const text = await git(place, path, 'show', `main:${file}`);
      if (text !== `by ${worker}`) throw new DemoFailure(`Not as promised: ${file} of ${name} holds: ${text}`);
    }
  }
  return 'both repositories have one commit for each task, wherever it was done';
}

/** The log of a project's main. */
export async function logOf(place: Place, project: string): Promise<string> {
  return git(place, repositoriesOf(place)[project] ?? '', 'log', '--format=%h %an: %s', 'main');
}

async function git(place: Place, at: string, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run('git', ['-C', at, ...args], { env: place.env, cwd: place.base });
  if (status !== 0) throw new DemoFailure(`git ${args.join(' ')} failed: ${stderr}`);
  return stdout.trimEnd();
}
