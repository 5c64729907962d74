/** A machine that has main, beside the one of a yard: it has a depot and a spool of its own, and files between the two are copied. */
import { mkdirSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '@drover/host';
import {
  type DepotPlace,
  type Git,
  type Home,
  type ParcelFile,
  keepAtHome,
  packHome,
  publishHome,
  readHome,
  settleHome,
} from '../../src/index.ts';
import { type Yard, sha256Of as digestOf } from '../support.ts';

/** Copies a file to a path on the other machine. */
export type Carry = (
  file: ParcelFile,
  to: { readonly machine: 'home' | 'here'; readonly path: string },
) => Promise<void>;

/** Carrying of a machine without faults: a plain copy, and the digest of what is there. */
export const SOUND: { readonly carry: Carry; readonly sha256Of: Host['sha256'] } = {
  carry: (file, { path }) => copyFile(file.path, path),
  sha256Of: digestOf,
};

/** Bytes of the largest parcel. */
export const PARCEL_BYTES_MAX = 1e9;

/**
 * The depot of a yard whose main is on the other machine, in the source of the yard. `gitOf`: the git of that machine; the rest is how
 * files go, and how either machine takes their digest.
 */
export function placeAtHome(
  { dir, source }: Pick<Yard, 'dir' | 'source'>,
  gitOf: () => Git,
  { carry, sha256Of }: typeof SOUND = SOUND,
): DepotPlace & { readonly target: Extract<DepotPlace['target'], { kind: 'home' }> } {
  const [spool, theirs] = [join(dir, 'spool'), join(dir, 'their-spool')];
  for (const at of [spool, theirs]) mkdirSync(at, { recursive: true });
  const target = { kind: 'source', source, defaultBranch: 'main' } as const;
  const place = { directory: join(dir, 'home-depot'), target };
  const said: { identity: Home['identity'] } = { identity: null };
  let count = 0;
  const carried = async (file: ParcelFile, machine: 'home' | 'here'): Promise<ParcelFile> => {
    const path = join(machine === 'home' ? theirs : spool, `carried-${(count += 1)}`);
    await carry(file, { machine, path });
    return { ...file, path };
  };
  const home: Home = {
    get identity() {
      return said.identity;
    },
    async readMain() {
      const main = await readHome(gitOf(), place);
      said.identity = main.identity;
      return main;
    },
    async fetch({ commit, not }) {
      const wanted = { commit, not, spool: theirs, id: `p${(count += 1)}`, maxBytes: PARCEL_BYTES_MAX, sha256Of };
      const packed = await packHome(gitOf(), place, wanted);
      if (packed.kind !== 'packed') throw new Error(packed.kind);
      return carried(packed, 'here');
    },
    async publish(file, request) {
      const arrived = await carried(file, 'home');
      // The home knows nothing of this machine's clone.
      const { worker, base, commit } = request;
      const work = {
        file: arrived,
        request: { worker, base, commit },
        spool: theirs,
        id: `u${(count += 1)}`,
        sha256Of,
      };
      return publishHome(gitOf(), place, work);
    },
    keep: async (file) => keepAtHome(gitOf(), place, { file: await carried(file, 'home'), sha256Of }),
    settle: () => settleHome(gitOf(), place),
    spool,
    id: 'work',
    maxBytes: PARCEL_BYTES_MAX,
    sha256Of,
  };
  return { directory: join(dir, 'depot'), target: { kind: 'home', home, defaultBranch: 'main' } };
}
