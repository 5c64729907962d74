/** Sets up two repositories, and the way of a parcel from one to the other. */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pack, unpack, type Git, type PackOutcome } from '../../src/index.ts';
import { makeSource, sha256Of, type Yard } from '../support.ts';

/** The ref that keeps what came. */
export const INTO = 'refs/drover/checkpoints/bert/1';
const MIB = 1024 * 1024;

/** A sender with work of its own, and a receiver that has what they had in common. */
export interface Carried extends AsyncDisposable {
  readonly yard: Yard;
  readonly sender: string;
  readonly receiver: string;
  readonly common: string;
  readonly work: string;
  pack(change?: { not?: string[]; maxBytes?: number; repo?: string; git?: Git }): Promise<PackOutcome>;
  /** Takes a file with the digest that it has, or another one. */
  unpack(
    file: string,
    change?: { sha256?: string; commit?: string; id?: string; git?: Git; into?: string },
  ): ReturnType<typeof unpack>;
  /** Reads everything in the receiver's object store, its refs, and the content of both spools. */
  traces(): Promise<unknown>;
}

/** Makes them. */
export async function makeCarried(): Promise<Carried> {
  const yard = await makeSource();
  const [sender, receiver] = [yard.source, join(yard.dir, 'receiver')];
  const common = await yard.sh(sender, 'rev-parse', 'HEAD');
  await yard.sh(yard.dir, 'clone', '-q', '--no-local', sender, receiver);
  await yard.commit(sender, { 'a.txt': 'one\n2\nthree\n' }, 'second');
  const work = await yard.commit(sender, { 'c.txt': 'sea\n' }, 'third');
  const [out, inbox] = [join(yard.dir, 'out'), join(yard.dir, 'in')];
  for (const directory of [out, inbox]) await mkdir(directory);
  return {
    yard,
    sender,
    receiver,
    common,
    work,
    pack: ({ not = [common], maxBytes = 64 * MIB, repo = sender, git = yard.git } = {}) =>
      pack(git, { repo, refs: [{ name: 'work', commit: work }], not, spool: out, id: 'one', maxBytes }, sha256Of),
    unpack: async (file, { sha256, commit = work, id = 'one', git = yard.git, into = INTO } = {}) => {
      const refs = [{ name: 'work', commit, into }];
      return unpack(
        git,
        { repo: receiver, file, sha256: sha256 ?? (await sha256Of(file)), refs, spool: inbox, id },
        sha256Of,
      );
    },
    traces: async () => ({
      objects: (await readdir(join(receiver, '.git/objects'), { recursive: true })).toSorted(),
      refs: await yard.sh(receiver, 'for-each-ref'),
      inbox: await readdir(inbox),
    }),
    [Symbol.asyncDispose]: () => yard[Symbol.asyncDispose](),
  };
}

/** Packs the work. @returns the file. */
export async function packed(carried: Carried, change?: Parameters<Carried['pack']>[0]): Promise<string> {
  const outcome = await carried.pack(change);
  if (outcome.kind !== 'packed') throw new Error(`Expected a parcel: ${JSON.stringify(outcome)}`);
  return outcome.path;
}
