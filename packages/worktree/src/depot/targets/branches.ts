/** Branches beside the default branch, where a target is: reads them, and pushes one by compare-and-swap. */
import { DEADLINES_MS, git } from '../../git/git.ts';
import { errorFromGit } from '../../git/git-error.ts';
import { safeDirectory, safeRevision } from '../../names.ts';
import { outside, safeRemoteUrl } from '../../project/remote.ts';
import type { Depot, Target } from '../place.ts';

/** Place that branches are pushed to. */
export interface Place {
  /** Repository as git takes it: a directory or an address. */
  readonly address: string;
  /** Options of a push beside the common ones. */
  readonly options: readonly string[];
}

/** Answer of a target that did not take a push. */
export interface Refused {
  readonly kind: 'refused';
  readonly words: string;
}

/** Undefined: branches reach that target from its own machine alone. @throws {GitError} `bad-name`. */
export function placeOfBranches(target: Target): Place | undefined {
  if (target.kind === 'home') return undefined;
  if (target.kind === 'remote') return { address: safeRemoteUrl(target.url), options: [] };
  // The hooks of a repository of people on this machine are not Drover's to run.
  const receive = '--receive-pack=git -c core.hooksPath=/dev/null receive-pack';
  return { address: safeDirectory(target.source), options: [receive] };
}

/** The commit of a branch there; undefined: there is none. @throws {GitError} */
export async function readBranch(depot: Depot, { address }: Place, branch: string): Promise<string | undefined> {
  const args = ['ls-remote', '--', address, refOf(branch)];
  const { stdout } = await git(depot.git, args, outside(`look for the branch "${branch}"`));
  return /^[0-9a-f]{40,64}(?=\t)/u.exec(stdout)?.[0];
}

/**
 * Makes the branch, or moves it from what is expected there: that may be a commit that the new one does not descend
 * from.
 *
 * @returns the target's words where it refuses. @throws {GitError}
 */
export async function pushBranch(
  depot: Depot,
  { address, options }: Place,
  {
    branch,
    commit,
    expected,
  }: { readonly branch: string; readonly commit: string; readonly expected: string | undefined },
): Promise<Refused | undefined> {
  const ref = refOf(branch);
  const pushed = await push(depot, {
    address,
    options: [...options, `--force-with-lease=${ref}:${expected ?? ''}`],
    spec: `${commit}:${ref}`,
  });
  if (pushed.kind === 'failed') throw pushed.error;
  return pushed.kind === 'refused' ? pushed : undefined;
}

function refOf(branch: string): string {
  return `refs/heads/${safeRevision(branch)}`;
}

/** Options of a push that override a person's settings: nothing is pushed but the one branch. */
const PUSH = [
  'push',
  '--porcelain',
  '--atomic',
  '--no-verify',
  '--no-follow-tags',
  '--no-signed',
  '--recurse-submodules=no',
] as const;

/** Pushes one branch, with a lease among the options. `failed`: it is not known whether the target took it. */
export async function push(
  depot: Depot,
  { address, options, spec }: { readonly address: string; readonly options: readonly string[]; readonly spec: string },
): Promise<
  { readonly kind: 'pushed' } | Refused | { readonly kind: 'failed'; readonly error: ReturnType<typeof errorFromGit> }
> {
  const call = { ...outside('publish the work'), at: depot.at, timeoutMs: DEADLINES_MS.clone, allow: [1] };
  const { status, stdout, stderr } = await git(depot.git, [...PUSH, ...options, '--', address, spec], call);
  if (status === 0) return { kind: 'pushed' };
  const rejection = stdout.split('\n').find((line) => line.startsWith('!\t'));
  const [, , why = ''] = rejection?.split('\t') ?? [];
  if (!why.startsWith('[remote rejected]'))
    return { kind: 'failed', error: errorFromGit(`${call.action} at "${address}"`, stderr || stdout) };
  return { kind: 'refused', words: [why, ...wordsOfRemote(stderr)].join('\n').slice(0, WORDS_MAX) };
}

/** Characters of a remote's words that are kept. */
const WORDS_MAX = 4_000;

/** Lines that the remote itself printed. */
function wordsOfRemote(stderr: string): string[] {
  return stderr.split('\n').flatMap((line) => /^remote: ?(.*\S)\s*$/u.exec(line)?.[1] ?? []);
}
