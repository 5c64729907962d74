/**
 * Decides which workers run in a cage on this machine, and prepares the cage before a program starts. The profile in the machine's own
 * drover.toml decides, where no command reaches (docs/adr/0023-one-user-guard-rails-and-a-cage.md).
 */
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { type Files, type Host, HostError } from '@drover/host';
import type { WorkerSettings } from '@drover/protocol';
import { archiveOf, type DepotPlace, depotOf, GitError, landingOf, worktreePath } from '@drover/worktree';
import { depotsOf } from '../execute/depots.ts';
import { CommandError } from '../failure.ts';
import type { AgentProfile, Profiles } from '../panes/agent-profile.ts';
import { borrowedObjects } from './borrowed-objects.ts';
import { examineCage } from './examine.ts';
import { cageArgs, gitArgs, landingArgs, type CageFacts, type Mount, type Surroundings } from './mounts.ts';
import { layOutGit, placesOf, realPath } from './places.ts';
import { sharesOf } from './shares.ts';
import { sourcePlaces } from './source-places.ts';

/** Directories of the system that are empty in a cage, where they exist. */
const EMPTIED = ['tmp', 'var/tmp', 'run', 'home', 'root', 'media', 'mnt'].map((name) => `/${name}`);

/** Settings that all cages of a machine share. */
interface CagesOptions {
  readonly host: Host;
  readonly profiles: Profiles;
  /** Directory of the machine agent itself. */
  readonly machineDir: string;
  /** Home directory of the user. */
  readonly home: string;
  /** Directories that no worker may see: Drover's data, sockets, logins. */
  readonly hidden: readonly string[];
  /** Directories that hooks of every worker need: the installations of Drover and its Node. */
  readonly programs: readonly string[];
  /** Roots of the projects of this machine. */
  readonly roots: () => readonly string[];
}

/** Files of Drover that a program needs. */
interface CageFiles {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

const NO_FILES: CageFiles = { reads: [], writes: [] };

export class Cages {
  readonly #options: CagesOptions;
  #isAble = false;

  constructor(options: CagesOptions) {
    this.#options = options;
  }

  /** Tells whether the worker's program runs in a cage. */
  holds(worker: Pick<WorkerSettings, 'profile'>): boolean {
    return this.#options.profiles.find(worker.profile)?.isolation.kind === 'bubblewrap';
  }

  /** Home directory of a worker's program: in a cage it is the worker's own. */
  homeOf(worker: Pick<WorkerSettings, 'profile' | 'account' | 'workerId'>): string {
    if (this.holds(worker)) return this.#ownHome(worker.workerId);
    return this.#options.profiles.homeOf(worker) ?? this.#options.home;
  }

  /**
   * Command words before a program of the worker; none without a cage.
   *
   * @throws CommandError `isolation-missing`: a worker that must be in a cage never runs outside; `isolation-git`.
   */
  async wordsFor(worker: WorkerSettings, files: CageFiles = NO_FILES): Promise<readonly string[]> {
    if (!this.holds(worker)) return [];
    await this.#demand(worker);
    return cageArgs(await this.#layOut(worker, files));
  }

  /**
   * Command words before checks of the worker in a landing worktree; none without a cage. The whole depot is read-only.
   *
   * @throws CommandError `isolation-missing`.
   */
  async wordsForLanding(
    worker: WorkerSettings,
    { place, name }: { readonly place: DepotPlace; readonly name: string },
  ): Promise<readonly string[]> {
    if (!this.holds(worker)) return [];
    await this.#demand(worker);
    const { host } = this.#options;
    const home = await realPath(host, this.#options.home);
    const depot = await realPath(host, depotOf(place));
    const borrowed = await borrowedObjects(host, join(depot, 'objects'));
    return landingArgs({
      root: await realPath(host, worker.project.root),
      landing: await realPath(host, landingOf(place, name)),
      depot,
      ...(await this.#makeHome(worker, { home, borrowed })),
    });
  }

  /**
   * Command words before git on the worktree of a worker in a cage; none without a cage, or without a repository so far.
   *
   * @throws GitError `not-a-repository` when the repository is not the one that Drover made; CommandError `isolation-missing`.
   */
  async wordsForGit(
    worker: WorkerSettings,
    { cwd = '/', args }: { cwd: string | undefined; args: readonly string[] },
  ): Promise<readonly string[]> {
    if (!this.holds(worker)) return [];
    const { host } = this.#options;
    if ((await host.lstat(join(worktreePath(worker.project.root, worker.name), '.git'))) === undefined) return [];
    const archive = archiveOf(this.#depotOf(worker));
    const places = await placesOf(host, worker, archive).catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      throw new GitError('not-a-repository', error.message, { cause: error });
    });
    if (!this.#isAble) this.#isAble = await this.#demand(worker);
    await layOutGit(host, places);
    const home = await realPath(host, this.#options.home);
    const facts = {
      ...places,
      home,
      emptied: await existing(host, EMPTIED),
      hidden: await this.#hidden(worker),
      borrowed: await this.#borrowed(worker),
      shares: await this.#shares(this.#options.profiles.of(worker), home),
      archive: subcommandOf(args) === 'fetch' ? await realPath(host, archive) : null,
    };
    return gitArgs(facts, cwd);
  }

  /** Object directories of the depot, which the worker's clone borrows. Names in the clone itself do not count: its program could write them. */
  async #borrowed(worker: WorkerSettings): Promise<readonly string[]> {
    const { host } = this.#options;
    const objects = join(depotOf(this.#depotOf(worker)), 'objects');
    return [await realPath(host, objects), ...(await borrowedObjects(host, objects))];
  }

  #depotOf({ project }: WorkerSettings): Pick<DepotPlace, 'directory'> {
    return { directory: join(depotsOf(this.#options.machineDir), project.id) };
  }

  /** Removes the home directory that was kept for a worker. */
  async forget(workerId: string): Promise<void> {
    await this.#options.host.removeTree(this.#ownHome(workerId));
  }

  /** @throws CommandError `isolation-missing`. */
  async #demand({ name }: WorkerSettings): Promise<true> {
    const ability = await examineCage(this.#options.host);
    if (ability.kind === 'ok') return true;
    const message = `"${name}" is not started: its profile asks for isolation = "bubblewrap", and ${ability.says}`;
    throw new CommandError('isolation-missing', message);
  }

  async #layOut(worker: WorkerSettings, files: CageFiles): Promise<CageFacts> {
    const { host } = this.#options;
    const places = await placesOf(host, worker, archiveOf(this.#depotOf(worker)));
    const home = await realPath(host, this.#options.home);
    await layOutGit(host, places);
    return {
      ...places,
      ...(await this.#makeHome(worker, {
        home,
        borrowed: await this.#borrowed(worker),
      })),
      files: [
        ...(await existing(host, files.reads)).map((at): Share => ({ kind: 'read', at })),
        ...(await existing(host, files.writes)).map((at): Share => ({ kind: 'write', at })),
      ],
    };
  }

  /** Makes the home directory of the worker's programs, and lists the places of the machine that are visible around it. */
  async #makeHome(
    worker: WorkerSettings,
    { home, borrowed }: Pick<Surroundings, 'home' | 'borrowed'>,
  ): Promise<Surroundings> {
    const { host, profiles } = this.#options;
    const agent = profiles.of(worker);
    const ownHome = this.#ownHome(worker.workerId);
    await host.mkdir(ownHome);
    const shares = await this.#shares(agent, home);
    await copyOnce(host, sharesOf(agent.profile.id).copies, { from: agent.home ?? home, to: ownHome });
    for (const at of [...shares.map((share) => share.at), ...borrowed])
      await clearLinks(host, ownHome, relative(home, at));
    return {
      home,
      ownHome: await realPath(host, ownHome),
      emptied: await existing(host, EMPTIED),
      hidden: await this.#hidden(worker),
      borrowed,
      shares,
    };
  }

  async #shares({ profile, program, isolation }: AgentProfile, home: string): Promise<readonly Share[]> {
    const { host, programs } = this.#options;
    const path = (await host.environment())['PATH'] ?? '';
    const own = sharesOf(profile.id);
    const onPath = path.split(':').filter((one) => isAbsolute(one));
    const [first = ''] = program;
    const named = first.includes('/') ? program : onPath.map((one) => join(one, first));
    const reads = [
      ...own.reads.map((one) => join(home, one)),
      // Programs of the user lie below the home directory: programs on PATH, with the libraries beside them.
      ...onPath.flatMap((one) => (basename(one) === 'bin' ? [one, join(dirname(one), 'lib')] : [one])),
      ...(await existing(host, named)).map((one) => dirname(one)),
      ...programs,
      '/etc/resolv.conf', // may lead to a directory that is empty here
      ...isolation.reads.map((one) => below(home, one)),
    ];
    const writes = [...own.writes.map((one) => join(home, one)), ...isolation.writes.map((one) => below(home, one))];
    const readable = (await existing(host, reads)).filter((one) => one !== '/' && !isWithin(one, home));
    return [
      ...readable.map((at): Share => ({ kind: 'read', at })),
      ...(await existing(host, writes)).map((at): Share => ({ kind: 'write', at })),
    ];
  }

  async #hidden({ project }: WorkerSettings): Promise<readonly string[]> {
    const { host, hidden, roots } = this.#options;
    const sources = await sourcePlaces(host, project.source);
    return existing(host, [...hidden, ...roots(), ...sources]);
  }

  #ownHome(workerId: string): string {
    return join(this.#options.machineDir, 'homes', workerId);
  }
}

type Share = Extract<Mount, { kind: 'read' | 'write' }>;

/** Copies files that the program writes to all the time, at the first start only: later starts use the worker's own copy. */
async function copyOnce(
  files: Files,
  paths: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (const path of paths) {
    const [source, target] = [join(from, path), join(to, path)];
    if ((await files.lstat(target)) !== undefined || (await files.stat(source))?.kind !== 'file') continue;
    await files.mkdir(dirname(target));
    await files.copy(source, target);
  }
}

/** Removes links from the worker's home, which would make bubblewrap mount a share elsewhere. */
async function clearLinks(files: Files, ownHome: string, path: string): Promise<void> {
  if (path === '' || path.startsWith('..') || isAbsolute(path)) return;
  let place = ownHome;
  for (const part of path.split(sep)) {
    place = join(place, part);
    if ((await files.lstat(place))?.kind === 'link') await files.removeFile(place);
  }
}

/** Existing paths, each once, by their real path. */
async function existing(files: Files, paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.filter((path) => isAbsolute(path)).map((path) => files.realpath(path).catch(unlessUnreached)),
  );
  return [...new Set(found.filter((path) => path !== undefined))];
}

/** Word after git's own options. */
function subcommandOf(args: readonly string[]): string | undefined {
  let at = 0;
  while (args[at] === '-C' || args[at] === '-c') at += 2;
  return args[at];
}

function below(home: string, path: string): string {
  return path === '~' ? home : path.startsWith('~/') ? join(home, path.slice(2)) : path;
}

/** Tells whether `path` holds `inner`, or is the same. */
function isWithin(path: string, inner: string): boolean {
  const way = relative(path, inner);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
}

/** Rethrows errors of the connection: a missing connection must not look like a missing file, or the program would run outside of the cage. */
function unlessUnreached(error: unknown): undefined {
  if (error instanceof HostError) throw error;
  return undefined;
}
