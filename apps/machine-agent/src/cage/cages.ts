/**
 * Which workers run in a cage on this machine, and what is laid out for one before its program starts? The profile says so in
 * the machine's own drover.toml, where no command reaches (docs/adr/0081-worker-panes.md).
 */
import { cp, lstat, mkdir, open, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Host } from '@drover/host';
import type { WorkerSettings } from '@drover/protocol';
import { type DepotPlace, depotOf, landingOf, workerBranch, worktreePath } from '@drover/worktree';
import { CommandError } from '../failure.ts';
import type { AgentProfile, Profiles } from '../panes/agent-profile.ts';
import { depotOfClone } from './depot-of-clone.ts';
import { examineCage } from './examine.ts';
import {
  cageArgs,
  gitArgs,
  landingArgs,
  type CageFacts,
  type Mount,
  type Surroundings,
  type WorkerPlaces,
} from './mounts.ts';
import { separateObjects } from './separate-objects.ts';
import { sharesOf } from './shares.ts';

/** Directories of the system that are empty in a cage, where they exist. */
const EMPTIED = ['tmp', 'var/tmp', 'run', 'home', 'root', 'media', 'mnt'].map((name) => `/${name}`);

/** What all cages of a machine have in common. */
interface CagesOptions {
  readonly host: Host;
  readonly profiles: Profiles;
  /** The machine agent's own directory. */
  readonly dataDir: string;
  /** The user's. */
  readonly home: string;
  /** Directories that no worker may see: of Drover's data, sockets, logins. */
  readonly hidden: readonly string[];
  /** Directories that hooks of every worker need: where Drover and its Node are. */
  readonly programs: readonly string[];
  /** `PATH` of the programs. */
  readonly path: string;
  /** Roots of the projects of this machine. */
  readonly roots: () => readonly string[];
}

/** Files of Drover that one program needs. */
interface CageFiles {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

const NO_FILES: CageFiles = { reads: [], writes: [] };

/** The cages of one machine. */
export class Cages {
  readonly #options: CagesOptions;
  #isAble = false;

  constructor(options: CagesOptions) {
    this.#options = options;
  }

  /** Whether the worker's program runs in a cage. */
  holds(worker: Pick<WorkerSettings, 'profile'>): boolean {
    return this.#options.profiles.find(worker.profile)?.isolation.kind === 'bubblewrap';
  }

  /** The home directory that a worker's program has: in a cage it is the worker's own. */
  homeOf(worker: Pick<WorkerSettings, 'profile' | 'workerId'>): string {
    return this.holds(worker) ? this.#ownHome(worker.workerId) : this.#options.home;
  }

  /**
   * The words before a program of the worker; none where it runs free.
   *
   * @throws CommandError `isolation-missing`: a worker that shall be in a cage never runs outside; `isolation-git`.
   */
  async wordsFor(worker: WorkerSettings, files: CageFiles = NO_FILES): Promise<readonly string[]> {
    if (!this.holds(worker)) return [];
    await this.#demand(worker);
    return cageArgs(await this.#layOut(worker, files));
  }

  /**
   * The words before checks of the worker in a landing worktree; none where it runs free. Of the depot nothing can be written.
   *
   * @throws CommandError `isolation-missing`.
   */
  async wordsForLanding(
    worker: WorkerSettings,
    { place, name }: { readonly place: DepotPlace; readonly name: string },
  ): Promise<readonly string[]> {
    if (!this.holds(worker)) return [];
    await this.#demand(worker);
    const home = await realpath(this.#options.home);
    const ownHome = await this.#makeHome(worker, home);
    return landingArgs({
      repo: await realpath(worker.project.root),
      landing: await realpath(landingOf(place, name)),
      depot: await realpath(depotOf(place)),
      ...ownHome,
    });
  }

  /** The words before git on the worktree of a worker in a cage; none where it runs free, or has no worktree yet. */
  async wordsForGit(
    worker: WorkerSettings,
    { cwd = '/', args, removes }: { cwd: string | undefined; args: readonly string[]; removes: boolean },
  ): Promise<readonly string[]> {
    if (!this.holds(worker)) return [];
    const places = await placesOf(worker).catch(() => undefined);
    if (places === undefined) return [];
    if (!this.#isAble) this.#isAble = await this.#demand(worker);
    const home = await realpath(this.#options.home);
    const facts = {
      ...places,
      home,
      emptied: await existing(EMPTIED),
      hidden: await this.#hidden(),
      shares: await this.#shares(this.#options.profiles.of(worker), worker, home),
      beside: removes ? await besides(places.worktree) : null,
      depot: await depotOfClone(worker, this.#options.dataDir),
    };
    return gitArgs(facts, { cwd, fetches: subcommandOf(args) === 'fetch' });
  }

  /** Removes what was kept for a worker. */
  async forget(workerId: string): Promise<void> {
    await rm(this.#ownHome(workerId), { recursive: true, force: true });
  }

  /** @throws CommandError `isolation-missing`. */
  async #demand({ name }: WorkerSettings): Promise<true> {
    const ability = await examineCage(this.#options.host);
    if (ability.kind === 'ok') return true;
    const message = `"${name}" is not started: its profile asks for isolation = "bubblewrap", and ${ability.says}`;
    throw new CommandError('isolation-missing', message);
  }

  async #layOut(worker: WorkerSettings, files: CageFiles): Promise<CageFacts> {
    const places = await placesOf(worker);
    const home = await realpath(this.#options.home);
    await layOutGit(places);
    return {
      ...places,
      ...(await this.#makeHome(worker, home)),
      files: [
        ...(await existing(files.reads)).map((at): Share => ({ kind: 'read', at })),
        ...(await existing(files.writes)).map((at): Share => ({ kind: 'write', at })),
      ],
    };
  }

  /** The home directory of the worker's programs, and what of the machine is seen around it. */
  async #makeHome(worker: WorkerSettings, home: string): Promise<Surroundings> {
    const agent = this.#options.profiles.of(worker);
    const ownHome = this.#ownHome(worker.workerId);
    await mkdir(ownHome, { recursive: true, mode: 0o700 });
    const shares = await this.#shares(agent, worker, home);
    await copyOnce(sharesOf(agent.profile.id).copies, { from: home, to: ownHome });
    for (const { at } of shares) await clearLinks(ownHome, relative(home, at));
    return {
      home,
      ownHome: await realpath(ownHome),
      emptied: await existing(EMPTIED),
      hidden: await this.#hidden(),
      shares,
    };
  }

  async #shares(
    { profile, program, isolation }: AgentProfile,
    worker: WorkerSettings,
    home: string,
  ): Promise<readonly Share[]> {
    const { programs, path } = this.#options;
    const own = sharesOf(profile.id);
    const onPath = path.split(':').filter((one) => isAbsolute(one));
    const [first = ''] = program;
    const named = first.includes('/') ? program : onPath.map((one) => join(one, first));
    const reads = [
      ...own.reads.map((one) => join(home, one)),
      // Programs of the user lie below the home directory: those on PATH, with the libraries beside them.
      ...onPath.flatMap((one) => (basename(one) === 'bin' ? [one, join(dirname(one), 'lib')] : [one])),
      ...(await existing(named)).map((one) => dirname(one)),
      ...programs,
      '/etc/resolv.conf', // which may lead to a directory that is empty here
      ...isolation.reads.map((one) => below(home, one)),
      // A clone may borrow from its source, and an agent may look at it.
      ...(isAbsolute(worker.project.source) ? [worker.project.source] : []),
    ];
    const writes = [...own.writes.map((one) => join(home, one)), ...isolation.writes.map((one) => below(home, one))];
    const readable = (await existing(reads)).filter((one) => one !== '/' && !isWithin(one, home));
    return [
      ...readable.map((at): Share => ({ kind: 'read', at })),
      ...(await existing(writes)).map((at): Share => ({ kind: 'write', at })),
    ];
  }

  async #hidden(): Promise<readonly string[]> {
    const { hidden, roots } = this.#options;
    return existing([...hidden, ...roots()]);
  }

  #ownHome(workerId: string): string {
    return join(this.#options.dataDir, 'homes', workerId);
  }
}

type Share = Extract<Mount, { kind: 'read' | 'write' }>;

/** @throws CommandError `isolation-git` when the worktree's git is not the one that Drover made. */
async function placesOf({ name, project }: WorkerSettings): Promise<WorkerPlaces> {
  const repo = await realpath(project.root);
  const worktree = await realpath(worktreePath(project.root, name));
  const marker = join(worktree, '.git');
  const wrong = (what: string): CommandError =>
    new CommandError(
      'isolation-git',
      `"${name}" is not started in a cage: ${what}. Remove the worktree and prepare it again`,
    );
  if (!(await lstat(marker)).isFile()) throw wrong(`"${marker}" is no file`);
  const gitDir = /^gitdir: (.+)$/mu.exec(await readFile(marker, 'utf8'))?.[1] ?? '';
  const isOwn = isAbsolute(gitDir) && dirname(gitDir) === join(repo, '.git', 'worktrees');
  if (!isOwn || (await realpath(gitDir)) !== gitDir) throw wrong(`"${marker}" leads to "${gitDir}"`);
  const common = (await readFile(join(gitDir, 'commondir'), 'utf8')).trim();
  if (common !== '../..') throw wrong(`"${gitDir}" belongs to "${common}"`);
  return { repo, worktree, gitDir, branch: workerBranch(name) };
}

/** Makes what git would make at the first commit, and what must be there to be protected. */
async function layOutGit({ repo, gitDir, branch }: WorkerPlaces): Promise<void> {
  const git = join(repo, '.git');
  const log = join(git, 'logs', 'refs', 'heads', branch);
  const directories = [
    'objects/pack',
    'objects/info',
    'refs/heads/drover',
    'rr-cache',
    'hooks',
    dirname(relative(git, log)),
  ];
  for (const one of directories) await mkdir(join(git, one), { recursive: true });
  for (const file of [log, join(gitDir, 'config.worktree')]) await (await open(file, 'a')).close();
  await separateObjects(join(git, 'objects'));
}

/** A file that the program writes to all the time is its own from the second start on. */
async function copyOnce(paths: readonly string[], { from, to }: { from: string; to: string }): Promise<void> {
  for (const path of paths)
    await cp(join(from, path), join(to, path), { recursive: true, force: false }).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    });
}

/** What a program left as a link in its home must not make bubblewrap lay a share elsewhere. */
async function clearLinks(ownHome: string, path: string): Promise<void> {
  if (path === '' || path.startsWith('..') || isAbsolute(path)) return;
  let place = ownHome;
  for (const part of path.split(sep)) {
    place = join(place, part);
    const found = await lstat(place).catch(() => undefined);
    if (found?.isSymbolicLink() === true) await rm(place);
  }
}

/** Those that exist, each once, by their real path. */
async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.filter((path) => isAbsolute(path)).map((path) => realpath(path).catch(() => undefined)),
  );
  return [...new Set(found.filter((path) => path !== undefined))];
}

async function besides(worktree: string): Promise<readonly string[]> {
  const names = await readdir(dirname(worktree));
  return names.map((name) => join(dirname(worktree), name)).filter((path) => path !== worktree);
}

/** The word after git's own options. A path of the same name is at another place of the line. */
function subcommandOf(args: readonly string[]): string | undefined {
  let at = args.indexOf('git') + 1;
  while (args[at] === '-C' || args[at] === '-c') at += 2;
  return args[at];
}

function below(home: string, path: string): string {
  return path === '~' ? home : path.startsWith('~/') ? join(home, path.slice(2)) : path;
}

/** Whether `path` holds `inner`, or is it. */
function isWithin(path: string, inner: string): boolean {
  const way = relative(path, inner);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
}
