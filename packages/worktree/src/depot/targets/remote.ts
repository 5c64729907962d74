/** Main is a branch of a repository elsewhere, which each machine of the project reaches by its address. */
import { DEADLINES_MS, type Git, git } from '../../git/git.ts';
import { GitError } from '../../git/git-error.ts';
import { isAncestor } from '../../git/revisions.ts';
import { safeRevision } from '../../names.ts';
import { bringContent } from '../../content/bring.ts';
import { outside, safeRemoteUrl } from '../../project/remote.ts';
import { type Depot, type Target, mainRef } from '../place.ts';
import { keepFormerMain } from '../former-mains.ts';
import { push } from './branches.ts';
import type { Carrier } from './carrier.ts';
import type { PublishOutcome, PublishRequest } from './outcome.ts';

type Remote = Extract<Target, { kind: 'remote' }>;

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
    await keepFormerMain(depot);
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
      const { base, commit } = request;
      const lacking = await bringContent(context, depot, request);
      if (lacking !== undefined) return lacking;
      // Compare and swap: the remote moves the branch from `base`, or not at all.
      const options = [`--force-with-lease=${ref}:${base}`];
      const pushed = await push(depot, { address, options, spec: `${commit}:${ref}` });
      if (pushed.kind === 'pushed') return PUBLISHED;
      // Trusts the target's state after the push, whatever the push said: others may have moved it meanwhile.
      const after = await standing(depot, request, { read, fetchMain });
      if (after !== undefined) return after;
      if (pushed.kind === 'failed') throw pushed.error;
      return pushed;
    },
    // Settles nothing: only the branch moves on a remote, and it moves at once.
    settle: () => Promise.resolve(),
  };
}

/** Fetches commits alone from what a remote offers. */
const FETCH = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--'] as const;

interface Reading {
  readonly read: () => Promise<string>;
  readonly fetchMain: (depot: Depot) => Promise<void>;
}

/** Reads what main says of the publication now; undefined: it is still at its base. */
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
