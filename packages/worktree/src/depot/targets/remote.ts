/** Main is a branch of a repository elsewhere, which each machine of the project reaches by its address. */
import { DEADLINES_MS, type Git, git } from '../../git/git.ts';
import { GitError, errorFromGit } from '../../git/git-error.ts';
import { isAncestor } from '../../git/revisions.ts';
import { safeRevision } from '../../names.ts';
import { outside, safeRemoteUrl } from '../../project/remote.ts';
import { type Depot, type Target, mainRef } from '../place.ts';
import type { Carrier } from './carrier.ts';
import type { PublishOutcome, PublishRequest } from './outcome.ts';

type Remote = Extract<Target, { kind: 'remote' }>;

/** What a person's settings say of pushes does not count: nothing is pushed but the one branch. */
const PUSH = [
  'push',
  '--porcelain',
  '--atomic',
  '--no-verify',
  '--no-follow-tags',
  '--no-signed',
  '--recurse-submodules=no',
] as const;

/** `context` runs git with what this machine needs to reach the address. */
export function remoteCarrier(context: Git, { url, defaultBranch }: Remote): Carrier {
  const address = safeRemoteUrl(url);
  const ref = `refs/heads/${safeRevision(defaultBranch)}`;
  const read = async (): Promise<string> => {
    const args = ['ls-remote', '--exit-code', '--', address, ref];
    const { status, stdout } = await git(context, args, { ...outside('read its default branch'), allow: [2] });
    const [commit] = /^[0-9a-f]{40,64}(?=\t)/u.exec(stdout) ?? [];
    if (status === 0 && commit !== undefined) return commit;
    throw new GitError('unknown-revision', `"${url}" has no branch "${defaultBranch}": make it, or name another`);
  };
  const fetchMain = async (depot: Depot): Promise<void> => {
    const call = { ...outside(`fetch "${defaultBranch}" of "${url}"`), at: depot.at, timeoutMs: DEADLINES_MS.clone };
    await git(depot.git, [...FETCH, address, `+${ref}:${mainRef(depot.place)}`], call);
  };
  return {
    objectFormat: async () => ((await read()).length === 64 ? 'sha256' : 'sha1'),
    readMain: read,
    fetchMain,
    async publish(depot, request) {
      const before = await standing(depot, request, { read, fetchMain });
      if (before !== undefined) return before;
      const pushed = await push(depot, request, { address, ref });
      if (pushed.kind === 'published') return pushed;
      // What the target says after the fact counts, whatever the push said: others may have moved it meanwhile.
      const after = await standing(depot, request, { read, fetchMain });
      if (after !== undefined) return after;
      if (pushed.kind === 'failed') throw pushed.error;
      return pushed;
    },
    // Nothing but the branch moves there, and it moves at once.
    settle: () => Promise.resolve(),
  };
}

/** From what a remote offers the depot takes commits alone. */
const FETCH = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--'] as const;

interface Reading {
  readonly read: () => Promise<string>;
  readonly fetchMain: (depot: Depot) => Promise<void>;
}

/** What main says of the publication now; undefined: it is still at its base. */
export async function standing(
  depot: Depot,
  { base, commit }: PublishRequest,
  { read, fetchMain }: Reading,
): Promise<PublishOutcome | undefined> {
  const now = await read();
  if (now === base) return undefined;
  if (now === commit) return PUBLISHED;
  await fetchMain(depot);
  const isIn = await isAncestor(depot.git, depot.at, { ancestor: commit, descendant: mainRef(depot.place) });
  return isIn ? PUBLISHED : { kind: 'moved', now };
}

const PUBLISHED: PublishOutcome = { kind: 'published', checkout: { kind: 'none' } };

/** Compare and swap: the remote moves the branch from `base`, or not at all. */
async function push(
  depot: Depot,
  { base, commit }: PublishRequest,
  { address, ref }: { readonly address: string; readonly ref: string },
): Promise<PublishOutcome | { readonly kind: 'failed'; readonly error: GitError }> {
  const call = { ...outside('publish the work'), at: depot.at, timeoutMs: DEADLINES_MS.clone, allow: [1] };
  const lease = `--force-with-lease=${ref}:${base}`;
  const { status, stdout, stderr } = await git(depot.git, [...PUSH, lease, '--', address, `${commit}:${ref}`], call);
  if (status === 0) return PUBLISHED;
  const rejection = stdout.split('\n').find((line) => line.startsWith('!\t'));
  const [, , why = ''] = rejection?.split('\t') ?? [];
  if (!why.startsWith('[remote rejected]'))
    return { kind: 'failed', error: errorFromGit(`${call.action} at "${address}"`, stderr || stdout) };
  return { kind: 'refused', words: [why, ...wordsOfRemote(stderr)].join('\n').slice(0, WORDS_MAX) };
}

/** Characters of a remote's words that are kept. */
const WORDS_MAX = 4_000;

/** What the remote itself printed. */
function wordsOfRemote(stderr: string): string[] {
  return stderr.split('\n').flatMap((line) => /^remote: ?(.*\S)\s*$/u.exec(line)?.[1] ?? []);
}
