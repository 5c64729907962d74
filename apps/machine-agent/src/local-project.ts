/** Examines a repository and this machine before workers are put there. For `init`, `up` and `doctor`. */
import { messageOf } from '@drover/base';
import { examineCage } from './cage/examine.ts';
import { versionLine } from './host/version-line.ts';
import { BRANCH_PREFIX, shellWord } from '@drover/core';
// oxlint-disable-next-line no-restricted-imports -- for commands of a person, on the machine of that person
import { createLocalHost } from '@drover/host';
import { TMUX_VERSION_MIN } from '@drover/tmux';
import {
  archiveOf,
  asideSince,
  checkSource,
  findIdentity,
  findLosses,
  findPrefixTaken,
  GitError,
  gitVersion,
  isBeside,
  isNothing,
  isOfOtherBuild,
  isRemoteUrl,
  listUnmergedBranches,
  tellLosses,
  gitOn,
} from '@drover/worktree';
import type { Git, PrefixTaken, SourceCheck } from '@drover/worktree';
import { depotsOf } from './execute/depots.ts';
import { agentDirectory } from './join.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Result of one examination on this machine. */
export interface Finding {
  readonly what: string;
  readonly ok: boolean;
  /** Result in words, and advice if it is not ok. */
  readonly says: string;
}

/** Tells whether a directory is a repository that Drover can work from. @throws {GitError} */
export async function examineSource(env: Environment, source: string, defaultBranch?: string): Promise<SourceCheck> {
  return checkSource(gitOf(env), source, defaultBranch === undefined ? {} : { defaultBranch });
}

/** Finds branches in a source that block the branches of workers; undefined: there are none. @throws {GitError} */
export async function examinePrefix(env: Environment, source: string): Promise<PrefixTaken | undefined> {
  return findPrefixTaken(gitOf(env), [source], BRANCH_PREFIX);
}

/** Tells whether a source is an address that each machine reaches, and no directory. */
export function isAddress(source: string): boolean {
  return isRemoteUrl(source);
}

/** Tells whether a directory is a root that another build of Drover made, which is left as it is. @throws {GitError} */
export async function isRootOfOtherBuild(env: Environment, root: string): Promise<boolean> {
  return isOfOtherBuild(gitOf(env), root);
}

/** Root, and Drover's data on this machine that go with it. */
interface RootParts {
  readonly root: string;
  readonly dataDir: string;
  /** Globs of ignored files that count as work (`repo.keep`). */
  readonly keep: readonly string[];
}

/**
 * Lists the losses of each worker with its root, in words: work in its place, or without a place the work on its branch that Drover has kept.
 * Reports a worker that git cannot read.
 */
export async function findRootLosses(env: Environment, { root, dataDir, keep }: RootParts): Promise<readonly string[]> {
  const git = { ...gitOf(env), keep };
  const home = `${root}/.worktrees`;
  const found: string[] = [];
  const workers = await git.files.list(home);
  for (const worker of workers) {
    if (isBeside(worker)) {
      if (asideSince(worker) !== undefined) found.push(`${home}/${worker}, which Drover keeps for 14 days`);
      continue;
    }
    const place = { path: `${home}/${worker}`, worker, base: 'refs/remotes/origin/HEAD' };
    try {
      const losses = await findLosses(git, place);
      if (!isNothing(losses)) found.push(`${worker} has ${tellLosses(losses)}`);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      found.push(`${worker}, whose worktree git cannot read: see ${place.path}`);
    }
  }
  const depots = depotsOf(agentDirectory(dataDir));
  for (const project of await git.files.list(depots)) {
    for (const { branch, commits } of await listUnmergedBranches(git, archiveOf({ directory: `${depots}/${project}` })))
      if (!workers.includes(branch.slice(branch.lastIndexOf('/') + 1)))
        found.push(
          `${branch}, whose worktree is gone: ${commits === 1 ? '1 commit' : `${commits} commits`} not merged`,
        );
  }
  return found;
}

/** Tells whether git knows the author of commits for a source, by its settings and those of this machine. @throws {GitError} */
export async function examineIdentity(env: Environment, source: string): Promise<readonly Finding[]> {
  const { name, email } = await findIdentity(gitOf(env), { at: isRemoteUrl(source) ? '/' : source, source });
  const [where, command] = isRemoteUrl(source)
    ? ['on this machine', 'git config --global']
    : [`in "${source}"`, `git -C ${shellWord(source)} config`];
  const lacks = (what: string, instead: string, value: string): Finding => {
    const set = `run: ${command} ${what} ${value}`;
    return { what, ok: false, says: `git knows none ${where}, so agents commit as "${instead}"; ${set}` };
  };
  return [
    ...(name === undefined ? [lacks('user.name', 'Drover', '"Your Name"')] : []),
    ...(email === undefined ? [lacks('user.email', 'drover@localhost', 'you@example.com')] : []),
  ];
}

/** Tells whether programs can be put into a cage here; asked if a profile wants one. */
export async function examineIsolation(env: Environment): Promise<Finding> {
  const ability = await examineCage(createLocalHost({ env }));
  const what = 'isolation';
  return ability.kind === 'ok' ? { what, ok: true, says: ability.version } : { what, ok: false, says: ability.says };
}

/** Tells whether the programs that Drover drives are installed and new enough. */
export async function examineMachine(env: Environment): Promise<readonly Finding[]> {
  return Promise.all([examineTmux(env), examineGit(env)]);
}

async function examineTmux(env: Environment): Promise<Finding> {
  const what = 'tmux';
  const says = await versionLine(createLocalHost({ env }), 'tmux', ['-V']);
  if (says === null) return { what, ok: false, says: `tmux is missing: ${installHint('tmux')}` };
  const version = /(?<!\d)(\d+)\.(\d+)([a-z]?)/.exec(says);
  const isNewEnough = version !== null && Number(version[1]) * 100 + Number(version[2]) >= 302;
  if (!isNewEnough)
    return {
      what,
      ok: false,
      says: `${says} is too old, ${TMUX_VERSION_MIN} or newer is needed: ${installHint('tmux')}`,
    };
  const is34 = Number(version[1]) * 100 + Number(version[2]) >= 304;
  return { what, ok: true, says: is34 ? says : `${says} (3.4 or newer reports exits a little sooner)` };
}

async function examineGit(env: Environment): Promise<Finding> {
  try {
    return { what: 'git', ok: true, says: `git ${await gitVersion(gitOf(env))}` };
  } catch (error) {
    return {
      what: 'git',
      ok: false,
      says: `${messageOf(error)} (${installHint('git')})`,
    };
  }
}

function gitOf(env: Environment): Git {
  return gitOn(createLocalHost({ env }));
}

/** Describes how to install a program, by system. */
export function installHint(name: string): string {
  return `on Debian "sudo apt-get install ${name}", on Fedora "sudo dnf install ${name}", on macOS "brew install ${name}"`;
}
