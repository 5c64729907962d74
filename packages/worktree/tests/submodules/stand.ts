/** A source with submodules, and what a machine does with them for a worker. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bringBase, fillSubmodules, prepareForTask, removeWorktree } from '../../src/index.ts';
import { addWorker, BRANCH, makeSource, NOW, WORKER, type Yard } from '../support.ts';

export const LOCAL = ['-c', 'protocol.file.allow=always'] as const;

/** A yard whose source is a clone of `remotes/app.git` and has the submodule `vendor/lib` of `../lib.git`, with `deep` in it. */
export async function makeLibraries(): Promise<Yard & { readonly lib: string; readonly deep: string }> {
  const yard = await makeSource();
  const remotes = join(yard.dir, 'remotes');
  const bare = async (name: string, files: Record<string, string>, ...links: readonly string[]): Promise<string> => {
    const work = join(yard.dir, `work-${name}`);
    await mkdir(work, { recursive: true });
    await yard.sh(work, 'init', '-q', '-b', 'main');
    await yard.sh(work, 'remote', 'add', 'origin', join(remotes, `${name}.git`));
    for (const link of links) await yard.sh(work, ...LOCAL, 'submodule', '--quiet', 'add', `../${link}.git`, link);
    await yard.commit(work, files, name);
    await yard.sh(yard.dir, 'clone', '-q', '--bare', work, join(remotes, `${name}.git`));
    return work;
  };
  const deep = await bare('deep', { 'deep.txt': 'deep' });
  const lib = await bare('lib', { 'lib.txt': 'lib' }, 'deep');
  await yard.sh(yard.dir, 'clone', '-q', '--bare', yard.source, join(remotes, 'app.git'));
  await yard.sh(yard.source, 'remote', 'add', 'origin', join(remotes, 'app.git'));
  await yard.sh(yard.source, ...LOCAL, 'submodule', '--quiet', 'add', '../lib.git', 'vendor/lib');
  await yard.sh(yard.source, ...LOCAL, 'submodule', '--quiet', 'update', '--init', '--recursive');
  await yard.commit(yard.source, {}, 'with a submodule');
  return { ...yard, lib, deep };
}

/** Makes the place, and fills it. */
export async function fill(yard: Yard): ReturnType<typeof fillSubmodules> {
  await addWorker(yard, WORKER);
  const commit = await bringBase(yard.git, yard.depot);
  return fillSubmodules(yard.git, { worktree: yard.worktree, depot: yard.depot, commit });
}

/** Brings the place to the newest main as a task does, and fills it. */
export async function beginTask(yard: Yard): Promise<Awaited<ReturnType<typeof prepareForTask>>['kind']> {
  const { worktree, archive, source, git, depot } = yard;
  const base = await bringBase(git, depot);
  await fillSubmodules(git, { worktree, depot, commit: base });
  const request = {
    worktree,
    archive,
    worker: WORKER,
    branch: BRANCH,
    source,
    base,
    copyFiles: [],
    id: 't2',
    now: NOW,
  };
  const { kind } = await prepareForTask(git, { ...request, commits: 'set-aside' });
  await fillSubmodules(git, { worktree, depot, commit: base });
  return kind;
}

/** Removes the place without force. */
export async function remove(yard: Yard): ReturnType<typeof removeWorktree> {
  const base = await bringBase(yard.git, yard.depot);
  const request = { archive: yard.archive, path: yard.worktree, worker: WORKER, base, id: 'nuke1', now: NOW };
  return removeWorktree(yard.git, { ...request, force: false });
}

/** Commits in the submodule of the source, pushes it, and names the new commit in main. */
export async function bump(yard: Yard & { lib: string }, files: Record<string, string | undefined>): Promise<string> {
  const commit = await yard.commit(yard.lib, files, 'newer');
  await yard.sh(yard.lib, 'push', '-q', 'origin', 'main');
  const inSource = join(yard.source, 'vendor/lib');
  await yard.sh(inSource, 'fetch', '-q');
  await yard.sh(inSource, 'checkout', '-q', commit);
  await yard.commit(yard.source, {}, 'newer submodule');
  return commit;
}
