/** Finds commits of other repositories that a change names, and the addresses that it gives for them. */
import type { ReviewNote } from '@drover/protocol';
import { addressesIn } from '../gitlinks/settings.ts';
import { git } from '../git/git.ts';
import type { Change, OpenChange } from './review.ts';

type SubmoduleNote = Extract<ReviewNote, { kind: 'submodule' }>;

/** Notes each submodule whose commit or address changed. `gitlinks` are the files of a change that are submodules. @throws {GitError} */
export async function submoduleNotes(shown: OpenChange, gitlinks: readonly Change[]): Promise<SubmoduleNote[]> {
  const settings = shown.changes.find(({ path }) => path === '.gitmodules');
  // Reads the previous .gitmodules by its object in the change; where it is not in the change, it says the same now.
  if (settings === undefined && gitlinks.length === 0) return [];
  const now = settings === undefined ? await blobAt(shown) : settings.ids[1];
  const after = await urlsIn(shown, now);
  const before = settings === undefined ? after : await urlsIn(shown, settings.ids[0]);
  const moved = new Map(gitlinks.map((change) => [change.path, change]));
  const renamed = [...before.keys(), ...after.keys()].filter((path) => before.get(path) !== after.get(path));
  const paths = new Set([...moved.keys(), ...renamed]);
  return [...paths].map((path) => {
    const [was, is] = moved.get(path)?.ids ?? [null, null];
    const modes = moved.get(path)?.modes;
    const commits: SubmoduleNote['commits'] = [
      modes?.[0] === '160000' ? was : null,
      modes?.[1] === '160000' ? is : null,
    ];
    return { kind: 'submodule', path, commits, urls: [before.get(path) ?? null, after.get(path) ?? null] };
  });
}

async function blobAt({ git: context, call, head }: OpenChange): Promise<string | null> {
  const args = ['rev-parse', '--verify', '--quiet', `${head}:.gitmodules`];
  const { status, stdout } = await git(context, args, { ...call('find .gitmodules'), allow: [1, 128] });
  return status === 0 ? stdout.trim() : null;
}

/** The addresses by the paths of their submodules. */
async function urlsIn({ git: context, call }: OpenChange, blob: string | null): Promise<ReadonlyMap<string, string>> {
  if (blob === null) return new Map();
  return new Map(await addressesIn(context, call('read .gitmodules'), blob));
}
