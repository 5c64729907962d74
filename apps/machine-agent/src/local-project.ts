/** What must be true of a repository, and of this machine, before workers can be put there? For `init`, `up` and `doctor`. */
import { examineCage } from './cage/examine.ts';
import { versionLine } from './host/version-line.ts';
import { createLocalHost } from '@drover/host';
import { TMUX_VERSION_MIN } from '@drover/tmux';
import { checkSource, cloneProject, findIdentity, gitVersion, isRemoteUrl } from '@drover/worktree';
import type { CloneOutcome, Git, SourceCheck } from '@drover/worktree';
import { localGit } from './host/git-ports.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** One thing that was looked at on this machine. */
export interface Finding {
  readonly what: string;
  readonly ok: boolean;
  /** What was found, and if it is not ok what to do. */
  readonly says: string;
}

/** Whether a directory is a repository that Drover can work from. @throws {GitError} */
export async function examineSource(env: Environment, source: string, defaultBranch?: string): Promise<SourceCheck> {
  return checkSource(gitOf(env), source, defaultBranch === undefined ? {} : { defaultBranch });
}

/** Whether a source is an address that each machine reaches, and no directory. */
export function isAddress(source: string): boolean {
  return isRemoteUrl(source);
}

/** Makes the project's clone at `target`; safe to repeat. @throws {GitError} */
export async function makeClone(
  env: Environment,
  { source, target, defaultBranch }: { source: string; target: string; defaultBranch: string },
): Promise<CloneOutcome> {
  return cloneProject(gitOf(env), { source, target, defaultBranch });
}

/** Tells whether git knows who commits in a clone, by the settings of its source and of this machine. @throws {GitError} */
export async function examineIdentity(
  env: Environment,
  { source, target }: { readonly source: string; readonly target: string },
): Promise<readonly Finding[]> {
  const { name, email } = await findIdentity(gitOf(env), { at: target, source });
  const [where, command] = isRemoteUrl(source)
    ? ['on this machine', 'git config --global']
    : [`in "${source}"`, `git -C '${source.replaceAll("'", String.raw`'\''`)}' config`];
  const lacks = (what: string, instead: string, value: string): Finding => {
    const set = `run: ${command} ${what} ${value}`;
    return { what, ok: false, says: `git knows none ${where}, so agents commit as "${instead}"; ${set}` };
  };
  return [
    ...(name === undefined ? [lacks('user.name', 'Drover', '"Your Name"')] : []),
    ...(email === undefined ? [lacks('user.email', 'drover@localhost', 'you@example.com')] : []),
  ];
}

/** Whether programs can be put into a cage here; asked where a profile wants one. */
export async function examineIsolation(env: Environment): Promise<Finding> {
  const ability = await examineCage(createLocalHost({ env }));
  const what = 'isolation';
  return ability.kind === 'ok' ? { what, ok: true, says: ability.version } : { what, ok: false, says: ability.says };
}

/** Whether the programs that Drover drives are here and new enough. */
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
  return { what, ok: true, says: is34 ? says : `${says} (3.4 or newer hears of exits a little sooner)` };
}

async function examineGit(env: Environment): Promise<Finding> {
  try {
    return { what: 'git', ok: true, says: `git ${await gitVersion(gitOf(env))}` };
  } catch (error) {
    return {
      what: 'git',
      ok: false,
      says: `${error instanceof Error ? error.message : String(error)} (${installHint('git')})`,
    };
  }
}

function gitOf(env: Environment): Git {
  return localGit(createLocalHost({ env }));
}

/** How a program is installed, by the system. */
export function installHint(name: string): string {
  return `on Debian "sudo apt-get install ${name}", on Fedora "sudo dnf install ${name}", on macOS "brew install ${name}"`;
}
