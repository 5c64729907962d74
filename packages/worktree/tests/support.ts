/** Real git in temporary directories: repositories to work on. */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import {
  archiveOf,
  bringBase,
  carryIdentity,
  type DepotPlace,
  depotOf,
  ensureWorktree,
  noteBase,
  prepareForTask,
  rebaseAsOne,
  type Git,
  type RunCommand,
  type WorkerPlace,
} from '../src/index.ts';
import type { CheckpointLimits } from '../src/checkpoint/large-files.ts';
import { nodeFiles, nodeRunner } from './ports/node-ports.ts';

export { nodeFiles, nodeRunner };

/** The digest of a file. */
export async function sha256Of(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

/** A source, its depot and archive, and one worker's place, in a directory of their own. */
export interface Yard extends AsyncDisposable {
  readonly dir: string;
  readonly source: string;
  /** The root, below which workers have their places. */
  readonly root: string;
  readonly depot: DepotPlace;
  readonly archive: string;
  readonly worktree: string;
  readonly git: Git;
  /** Programs that were run, as one line each. */
  readonly calls: string[];
  /** Runs git plainly, as a person would; returns what it printed. */
  sh(at: string, ...args: string[]): Promise<string>;
  write(at: string, files: Record<string, string | undefined>): Promise<void>;
  /** Writes files and commits everything. Returns the commit. */
  commit(at: string, files: Record<string, string | undefined>, message?: string): Promise<string>;
  read(at: string, path: string): Promise<string | undefined>;
  /** Puts the branch that is checked out at a commit like its newest one, but by somebody without a name. Returns it. */
  disown(at: string): Promise<string>;
}

/** The worker of every yard. */
export const WORKER = 'alba';
export const BRANCH = 'drover/alba';
/** A fixed moment: 2027-01-15T08:00:00Z. */
export const NOW = 1_800_000_000_000;

/** Worker of the work, its place, and its archive. */
export function inYard({ worktree, archive }: Yard): { worktree: string; archive: string; worker: string } {
  return { worktree, archive, worker: WORKER };
}

/** Writes files; undefined removes one. */
async function write(at: string, files: Record<string, string | undefined>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const full = join(at, path);
    await mkdir(join(full, '..'), { recursive: true });
    await (text === undefined ? rm(full) : writeFile(full, text));
  }
}

/** An empty place with a source repository of one commit. `name` is the directory's, to try hostile ones. */
export async function makeSource(name?: string): Promise<Yard> {
  return name === undefined ? copyOf(makeSourceAt) : makeSourceAt(await placeNamed(name));
}

/** A source with its clone and a worktree for {@link WORKER}. */
export async function makeYard(name?: string): Promise<Yard> {
  return name === undefined ? copyOf(makeYardAt) : makeYardAt(await placeNamed(name));
}

async function makeSourceAt(dir: string): Promise<Yard> {
  const yard = yardAt(dir);
  await mkdir(join(dir, 'home'), { recursive: true });
  await mkdir(yard.source);
  await yard.sh(yard.source, 'init', '-q', '-b', 'main');
  const files = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'bee\n', '.gitignore': '*.secret\nbuild/\n' };
  await yard.commit(yard.source, files, 'first');
  return yard;
}

async function makeYardAt(dir: string): Promise<Yard> {
  const yard = await makeSourceAt(dir);
  await addWorker(yard, WORKER);
  return yard;
}

/** Brings the newest main, and makes a place for a worker where it has none. @returns the path. */
export async function addWorker(yard: Yard, worker: string): Promise<string> {
  const place = await placeOf(yard, worker);
  await ensureWorktree(yard.git, place);
  await carryIdentity(yard.git, { at: place.path, source: yard.source });
  return place.path;
}

/** Inputs for a worker's place, with the newest main. */
export async function placeOf(yard: Yard, worker = WORKER, git = yard.git): Promise<WorkerPlace> {
  const { root, depot, archive, source } = yard;
  const base = await bringBase(git, depot);
  const path = join(root, '.worktrees', worker);
  return { path, worker, depot: depotOf(depot), archive, defaultBranch: 'main', base, source, origin: source };
}

/** Puts the yard's work on the newest main, as the machine agent does. */
export async function rebaseIn(
  yard: Yard,
  { git = yard.git, beyond }: { readonly git?: Git; readonly beyond?: string | undefined } = {},
): ReturnType<typeof rebaseAsOne> {
  const onto = await bringBase(git, yard.depot);
  await noteBase(git, yard.worktree, { depot: depotOf(yard.depot), defaultBranch: 'main', base: onto });
  return rebaseAsOne(git, { ...inYard(yard), onto, id: 'one', now: NOW, beyond });
}

/** Makes a directory of this name in one that is there for it alone. */
async function placeNamed(name: string): Promise<string> {
  // Uses memory where there is room: these tests make and remove many small files
  // (packages/embedded-postgres/src/testing/global-setup.ts).
  const parent = process.env['TEST_MEMORY_DIR'] ?? tmpdir();
  return join(await realpath(await mkdtemp(join(parent, 'drover-worktree-'))), name);
}

/** Directory that was made once, and the files in it that name its place. */
interface Pattern {
  readonly dir: string;
  readonly naming: readonly string[];
}

const patterns = new Map<(dir: string) => Promise<Yard>, Promise<Pattern>>();

/** Makes a copy of what `make` makes, which takes git twenty calls: once for each process. */
async function copyOf(make: (dir: string) => Promise<Yard>): Promise<Yard> {
  const making = patterns.get(make) ?? makePattern(make);
  patterns.set(make, making);
  const pattern = await making;
  const yard = yardAt(await placeNamed('yard'));
  await plainly(yard, 'cp', '-a', pattern.dir, yard.dir);
  for (const name of pattern.naming) {
    const text = await readFile(join(pattern.dir, name), 'utf8');
    await writeFile(join(yard.dir, name), text.replaceAll(pattern.dir, yard.dir));
  }
  // Git knows a file by more than its content: it looks once at each of the copies.
  const look = 'for at; do test ! -e "$at/.git" || git -C "$at" update-index -q --refresh || exit 1; done';
  await plainly(yard, 'sh', '-c', look, 'sh', yard.source, yard.worktree);
  return yard;
}

async function makePattern(make: (dir: string) => Promise<Yard>): Promise<Pattern> {
  const { dir } = await make(await placeNamed('yard'));
  process.once('exit', () => rmSync(join(dir, '..'), { recursive: true, force: true }));
  const files = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  const naming = await Promise.all(
    paths.map(async (path) => ((await readFile(path)).includes(dir) ? [relative(dir, path)] : [])),
  );
  return { dir, naming: naming.flat() };
}

async function plainly({ git }: Yard, program: string, ...args: readonly string[]): Promise<void> {
  const { status, stderr } = await git.run(program, args, { timeoutMs: 60_000 });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
}

/** The parts of a place that need not be there yet. */
function yardAt(dir: string): Yard {
  const calls: string[] = [];
  const environment = { PATH: process.env['PATH'], HOME: join(dir, 'home'), GIT_CONFIG_NOSYSTEM: '1' };
  const run = nodeRunner(environment);
  const recorded: RunCommand = (program, args, options) => {
    const set = Object.entries(options.env ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${value}`],
    );
    calls.push([...set, program, ...args].join(' '));
    return run(program, args, options);
  };
  const sh = async (at: string, ...args: string[]): Promise<string> => {
    const settings = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'core.editor=true'];
    const result = await run('git', ['-C', at, ...settings, ...args], { timeoutMs: 20_000 });
    if (result.status !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr}${result.stdout}`);
    return result.stdout.trimEnd();
  };
  const commit: Yard['commit'] = async (at, files, message = 'a change') => {
    await write(at, files);
    await sh(at, 'add', '-A');
    // Commits without a second git that looks for something to tidy up.
    await sh(at, '-c', 'maintenance.auto=false', 'commit', '-q', '--allow-empty', '-m', message);
    return sh(at, 'rev-parse', 'HEAD');
  };
  const source = join(dir, 'source');
  const root = join(dir, 'root');
  const depot: DepotPlace = {
    directory: join(dir, 'depot'),
    target: { kind: 'source', source, defaultBranch: 'main' },
  };
  return {
    dir,
    source,
    root,
    depot,
    archive: archiveOf(depot),
    worktree: join(root, '.worktrees', WORKER),
    git: { run: recorded, files: nodeFiles },
    calls,
    sh,
    write,
    commit,
    read: (at, path) => nodeFiles.readFile(join(at, path), { maxBytes: 1e9 }),
    disown: async (at) => {
      const raw = await sh(at, 'cat-file', 'commit', 'HEAD');
      const input = `${raw.replaceAll(/^(author|committer) .* <.*> /gmu, '$1  <> ')}\n`;
      const args = ['-C', at, 'hash-object', '-t', 'commit', '-w', '--stdin'];
      const { stdout } = await run('git', args, { input, timeoutMs: 20_000 });
      await sh(at, 'reset', '-q', '--soft', stdout.trim());
      return stdout.trim();
    },
    [Symbol.asyncDispose]: () => rm(join(dir, '..'), { recursive: true, force: true }),
  };
}

/** Fetches the default branch and prepares the yard's worktree for a task from there. */
export async function prepareIn(
  { archive, depot, worktree, source, git }: Yard,
  {
    context = git,
    commits = 'refuse',
    limits,
  }: {
    readonly context?: Git;
    readonly commits?: 'refuse' | 'set-aside';
    readonly limits?: CheckpointLimits;
  } = {},
): ReturnType<typeof prepareForTask> {
  const base = await bringBase(context, depot);
  const task = { worktree, archive, worker: WORKER, branch: BRANCH, source, base, copyFiles: [], id: 't1', now: NOW };
  return prepareForTask(context, { ...task, commits, limits });
}
