/** Takes a parcel into a depot. */
import { unpack } from '../../parcel/unpack.ts';
import type { Depot } from '../place.ts';
import type { Home, ParcelFile } from './ports.ts';

/** Keeps what came until main, or the candidate, does. */
export function carriedRef(commit: string): string {
  return `refs/drover/carried/${commit}`;
}

/** A file that came, and the commit that it must hold. */
export type Arrived = Pick<Home, 'spool' | 'id' | 'sha256Of'> & { readonly file: ParcelFile; readonly commit: string };

/** The file goes. */
export async function takeIn(depot: Depot, { spool, id, sha256Of, file, commit }: Arrived): ReturnType<typeof unpack> {
  const refs = [{ name: 'work', commit, into: carriedRef(commit) }];
  // No two parcels of one command make packs of one name.
  const named = `${id}-${file.sha256.slice(0, 12)}`;
  const request = { repo: depot.at, file: file.path, sha256: file.sha256, refs, spool, id: named };
  try {
    return await unpack(depot.git, request, sha256Of);
  } finally {
    await depot.git.files.rm(file.path);
  }
}
