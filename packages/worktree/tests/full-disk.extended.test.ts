/**
 * Tests a disk that is really full, on either side of what is carried and at each step: it is said, nothing is lost,
 * and with room again it goes on.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  checkpoint,
  depotOf,
  ensureWorktree,
  makeCandidate,
  pack,
  publish,
  restoreCheckpoint,
  unpack,
} from '../src/index.ts';
import { workAt } from './depot/support.ts';
import { inYard, placeOf, NOW, WORKER, type Yard, makeYard, sha256Of } from './support.ts';

const KIB = 1024;
/** Bytes of the one file that is carried. Random, so that the file cannot be compressed. */
const LARGE = 3_000 * KIB;
/** Bytes of a text that is carried instead, which takes some 60 % of that in a repository. */
const TEXT = 900 * KIB;
/** MiB of the small disk. */
const DISK_MIB = 24;
const INTO = 'refs/drover/checkpoints/bert/1';

/** Root may mount one, but in most containers. */
const MAY_MOUNT = mayMount();

function mayMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs none /mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A disk of its own. */
interface Disk extends AsyncDisposable {
  readonly at: string;
  /** Leaves so many bytes of it. */
  fill(leave: number): Promise<void>;
  free(): Promise<void>;
}

async function mountDisk(at: string): Promise<Disk> {
  await mkdir(at);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'drover-test', at]);
  const filler = join(at, 'filler');
  return {
    at,
    async fill(leave) {
      const block = Buffer.alloc(64 * KIB);
      for (;;) {
        try {
          await appendFile(filler, block);
        } catch {
          break;
        }
      }
      await truncate(filler, (await stat(filler)).size - leave);
    },
    free: () => rm(filler),
    [Symbol.asyncDispose]: async () => void execFileSync('umount', ['-l', at]),
  };
}

/** A worker with one large file, in a commit and beside it. */
interface Scene {
  readonly yard: Yard;
  readonly at: string;
  readonly head: string;
}

/** Step: an act to repeat, its answer when it is done, and what must be there then. */
interface Step {
  readonly act: () => Promise<string>;
  readonly wanted: string;
  readonly judge: () => Promise<unknown>;
}

function packing({ yard, head }: Scene, spool: string): Parameters<typeof pack>[1] {
  return { repo: yard.worktree, refs: [{ name: 'work', commit: head }], not: [], spool, id: 'p1', maxBytes: 1e9 };
}

/** Takes the work from a file into a repository. */
async function takingInto(scene: Scene, { repo, spool }: { repo: string; spool: string }): Promise<Step> {
  const { yard, head } = scene;
  const out = join(yard.dir, 'out');
  for (const place of [out, spool]) await mkdir(place);
  await yard.sh(yard.dir, 'clone', '-q', '--no-local', yard.source, repo);
  const packed = await pack(yard.git, packing(scene, out), sha256Of);
  if (packed.kind !== 'packed') throw new Error(packed.kind);
  const refs = [{ name: 'work', commit: head, into: INTO }];
  const request = { repo, file: packed.path, sha256: packed.sha256, refs, spool, id: 'u1' };
  return {
    act: async () => (await unpack(yard.git, request, sha256Of)).kind,
    wanted: 'unpacked',
    async judge() {
      expect(await readdir(spool)).toEqual([]);
      expect(await readdir(join(repo, '.git/objects/pack'))).not.toContainEqual(
        expect.stringMatching(/keep|part|tmp/u),
      );
      await yard.sh(repo, 'fsck', '--full', '--strict', '--no-dangling');
      expect(await yard.sh(repo, 'rev-parse', INTO)).toBe(head);
    },
  };
}

/** A source on the small disk, and a depot beside it or there too. */
async function publishing(scene: Scene, directory: string): Promise<Step> {
  const { yard, at, head } = scene;
  const source = join(at, 'source');
  await yard.sh(yard.dir, 'clone', '-q', yard.source, source);
  const target = { kind: 'source', source, defaultBranch: 'main' } as const;
  const place = { directory, target };
  const made = await makeCandidate(yard.git, place, workAt(yard, head));
  if (made.kind !== 'candidate') throw new Error(made.kind);
  const { base, commit } = made;
  return {
    act: async () => (await publish(yard.git, place, { worker: WORKER, base, commit })).kind,
    wanted: 'published',
    async judge() {
      expect(await yard.sh(source, 'rev-parse', 'main')).toBe(commit);
      expect(await yard.sh(source, 'status', '--porcelain')).toBe('');
      expect(await yard.sh(source, 'for-each-ref', '--format=%(refname)', 'refs/drover')).toBe('');
      await yard.sh(source, 'fsck', '--full', '--no-dangling');
    },
  };
}

interface Row {
  /** Bytes of the small disk that are left. */
  readonly leave: number;
  /** Content that is carried; without it something that cannot be compressed. */
  readonly content?: string;
  make(scene: Scene): Promise<Step>;
}

/** Rows by what is on the small disk. */
const FULL: Readonly<Record<string, Row>> = {
  'where the sender packs': {
    leave: 1_000 * KIB,
    async make(scene) {
      const spool = join(scene.at, 'out');
      await mkdir(spool);
      return {
        act: async () => (await pack(scene.yard.git, packing(scene, spool), sha256Of)).kind,
        wanted: 'packed',
        judge: async () => expect(await readdir(spool)).toHaveLength(1),
      };
    },
  },
  'where the receiver checks': {
    leave: 1_000 * KIB,
    make: (scene) => takingInto(scene, { repo: join(scene.yard.dir, 'receiver'), spool: join(scene.at, 'in') }),
  },
  "of the receiver's repository": {
    leave: 1_000 * KIB,
    make: (scene) => takingInto(scene, { repo: join(scene.at, 'receiver'), spool: join(scene.yard.dir, 'in') }),
  },
  'of the depot': {
    leave: 1_000 * KIB,
    async make({ yard, at, head }) {
      const target = { kind: 'source', source: yard.source, defaultBranch: 'main' } as const;
      const place = { directory: join(at, 'depot'), target };
      return {
        act: async () => (await makeCandidate(yard.git, place, workAt(yard, head))).kind,
        wanted: 'candidate',
        judge: () => yard.sh(depotOf(place), 'fsck', '--full', '--strict', '--no-dangling'),
      };
    },
  },
  'of the source, which has no room for the commit': {
    leave: 1_000 * KIB,
    make: (scene) => publishing(scene, join(scene.yard.dir, 'depot')),
  },
  'of the source, which has no room for the files': {
    leave: 800 * KIB,
    // Half of a longer file, or of one that is no text, counts as somebody's: the file stays, and people are told of
    // it.
    content: randomBytes(TEXT / 2).toString('hex'),
    make: (scene) => publishing(scene, join(scene.yard.dir, 'depot')),
  },
  'where a move restores the work': {
    leave: 1_000 * KIB,
    async make({ yard, at }) {
      const [worktree, worker] = [join(at, 'bert'), 'bert'];
      const saving = {
        ...inYard(yard),
        id: 'c1',
        reason: 'manual',
        why: '',
        now: NOW,
      } as const;
      const { commit } = await checkpoint(yard.git, saving);
      await ensureWorktree(yard.git, { ...(await placeOf(yard, worker)), path: worktree });
      const request = { worktree, archive: yard.archive, worker, commit, saveAs: 's1', now: NOW };
      return {
        act: async () => (await restoreCheckpoint(yard.git, request)).kind,
        wanted: 'restored',
        async judge() {
          expect(await yard.read(worktree, 'note.txt')).toBe('not committed\n');
          expect((await stat(join(worktree, 'large.bin'))).size).toBe(LARGE);
          expect(await yard.sh(worktree, 'status', '--porcelain')).toBe('?? note.txt');
        },
      };
    },
  },
};

test.skipIf(!MAY_MOUNT).each(Object.keys(FULL))(
  'given a full disk %s, when there is no room and then some, then the first time says so, and the second does all of it',
  async (name) => {
    const row = FULL[name];
    if (row === undefined) throw new Error(name);
    await using yard = await makeYard();
    await writeFile(join(yard.worktree, 'large.bin'), row.content ?? randomBytes(LARGE));
    const head = await yard.commit(yard.worktree, {}, 'the work');
    await yard.write(yard.worktree, { 'note.txt': 'not committed\n' });
    await using disk = await mountDisk(join(yard.dir, 'small'));
    const step = await row.make({ yard, at: disk.at, head });

    await disk.fill(row.leave);
    // Accepts the error of git, or of a file that Drover copies.
    await expect(step.act()).rejects.toMatchObject({ code: expect.stringMatching(/^(?:disk-full|ENOSPC)$/u) });
    await disk.free();

    expect(await step.act()).toBe(step.wanted);
    await step.judge();
  },
);
