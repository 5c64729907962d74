// A source repository with many files, its depot and archive, a worker's place with work, and git as the machine agent runs it.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLocalHost } from '@drover/host';
import {
  archiveOf,
  bringBase,
  type DepotPlace,
  depotOf,
  ensureWorktree,
  type Git,
  type WorkerPlace,
  worktreePath,
  gitOn,
} from '@drover/worktree';

/** Files in one directory. */
const FILES_EACH = 100;
/** Lines of a file: some 2 KB. */
const LINES = 60;

/** The places of one measurement. Disposing removes them. */
export interface GitYard extends AsyncDisposable {
  readonly git: Git;
  readonly source: string;
  /** The directory below which workers have their places. */
  readonly root: string;
  readonly archive: string;
  readonly worktree: string;
  readonly place: DepotPlace;
  /** Makes a worker's place, with the newest main, which is brought first. */
  placeOf(worker: string): Promise<WorkerPlace>;
  /** Runs git as a person would, with nothing around it. */
  readonly bare: (at: string, ...args: string[]) => string;
  /** Changes that many files of main, as another person does. */
  moveMain(files: number): Promise<void>;
  /** Work of one commit in that many files. @returns it. */
  work(files: number): Promise<string>;
}

/** The worker of a yard. */
export const WORKER = 'alba';

/** Makes a repository of so many files. */
export async function makeGitYard(fileCount: number): Promise<GitYard> {
  const dir = await realpath(await mkdtemp(path.join(tmpdir(), 'drover-bench-git-')));
  const [source, root, home] = ['source', 'root', 'home'].map((name) => path.join(dir, name)) as [
    string,
    string,
    string,
  ];
  const target = { kind: 'source', source, defaultBranch: 'main' } as const;
  const place: DepotPlace = { directory: path.join(dir, 'depot'), target };
  const archive = archiveOf(place);
  await mkdir(home);
  const env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  await writeFile(path.join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n');
  const bare = (at: string, ...args: string[]): string =>
    execFileSync('git', ['-C', at, ...args], { encoding: 'utf8', env, stdio: 'pipe' }).trim();
  const git = gitOn(createLocalHost({ env }));
  let stamp = 0;
  const change = async (at: string, indexes: readonly number[]): Promise<string> => {
    stamp += 1;
    for (const index of indexes) await writeFile(path.join(at, nameOf(index)), textOf(`change ${stamp}`));
    bare(at, 'commit', '-qam', `change ${stamp}`);
    return bare(at, 'rev-parse', 'HEAD');
  };
  for (let index = 0; index < fileCount; index += FILES_EACH)
    await mkdir(path.join(source, `d${index / FILES_EACH}`), { recursive: true });
  for (let index = 0; index < fileCount; index += 1)
    await writeFile(path.join(source, nameOf(index)), textOf(`file ${index}`));
  bare(source, 'init', '-q', '-b', 'main');
  bare(source, 'add', '-A');
  bare(source, 'commit', '-qm', 'first');
  const placeOf = async (worker: string): Promise<WorkerPlace> => {
    const base = await bringBase(git, place);
    const at = { path: worktreePath(root, worker), worker, depot: depotOf(place), archive };
    return { ...at, defaultBranch: 'main', base, source, origin: source };
  };
  const own = await placeOf(WORKER);
  await ensureWorktree(git, own);
  return {
    git,
    source,
    root,
    archive,
    worktree: own.path,
    place,
    placeOf,
    bare,
    moveMain: async (files) => void (await change(source, spread(files, fileCount))),
    work: (files) => change(own.path, [...Array(files).keys()]),
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

/** Spreads so many files, none of them in the first directory, where the work is. */
function spread(files: number, fileCount: number): readonly number[] {
  return Array.from({ length: files }, (_, index) => FILES_EACH + ((index * 37) % (fileCount - FILES_EACH)));
}

function nameOf(index: number): string {
  return `d${Math.floor(index / FILES_EACH)}/f${index}.txt`;
}

function textOf(first: string): string {
  return `${[first, ...Array.from({ length: LINES }, (_, line) => `line ${line} of a text that nobody reads`)].join('\n')}\n`;
}
