/** Takes a parcel into a depot. */
import { git, gitText } from '../../git/git.ts';
import { unpack } from '../../parcel/unpack.ts';
import { type Depot, inDepot } from '../place.ts';
import type { Home, ParcelFile } from './ports.ts';

const CARRIED = 'refs/drover/carried';

/** Forgets what came, also what a killed process left: main, or a candidate, keeps it by now. @throws {GitError} */
export async function forgetCarried(depot: Depot): Promise<void> {
  const call = inDepot(depot, 'forget what came');
  const input = await gitText(depot.git, ['for-each-ref', '--format=delete %(refname)', CARRIED], call);
  if (input !== '') await git(depot.git, ['update-ref', '--stdin'], { ...call, input: `${input}\n` });
}

/** A file that came, and the commit that it must hold. */
export type Arrived = Pick<Home, 'spool' | 'id' | 'sha256Of'> & { readonly file: ParcelFile; readonly commit: string };

/** The file goes. */
export async function takeIn(depot: Depot, { spool, id, sha256Of, file, commit }: Arrived): ReturnType<typeof unpack> {
  const refs = [{ name: 'work', commit, into: `${CARRIED}/${commit}` }];
  // Name of the pack: no two parcels of one command make packs of one name.
  const named = `${id}-${file.sha256.slice(0, 12)}`;
  const request = { repo: depot.at, file: file.path, sha256: file.sha256, refs, spool, id: named };
  try {
    return await unpack(depot.git, request, sha256Of);
  } finally {
    await depot.git.files.rm(file.path);
  }
}
