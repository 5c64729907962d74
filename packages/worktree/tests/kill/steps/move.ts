/** Work goes from one machine to another: saved, packed, taken there, restored, and cleared where it was. */
import { join } from 'node:path';
import {
  archiveOf,
  bringBase,
  checkpoint,
  ensureWorktree,
  pack,
  removeWorktree,
  restoreCheckpoint,
  unpack,
} from '../../../src/index.ts';
import { makeMess, stateOf } from '../../mess.ts';
import { BRANCH, inYard, NOW, placeOf, WORKER, type Yard, makeYard, sha256Of } from '../../support.ts';
import { type KillStep, type Work, expectMainAtBase, expectText } from './scene.ts';

const CARRIED = 'refs/drover/checkpoints/alba/c1';

/** Work of which a part is not committed. */
async function makeMessy(): Promise<Work> {
  const yard = await makeYard();
  const head = await yard.commit(yard.worktree, { 'w.txt': 'w\n' }, 'the work');
  const base = await yard.commit(yard.source, { 'main.txt': 'm\n' }, 'meanwhile');
  await makeMess(yard);
  return { yard, main: yard.source, head, heads: [head], base, commit: base, others: [] };
}

function save(yard: Yard): Parameters<typeof checkpoint>[1] {
  return { ...inYard(yard), id: 'c1', reason: 'manual', why: 'before it moves', now: NOW };
}

/** The yard as the other machine has it, with the same source. */
function otherMachine(yard: Yard): Yard {
  const { dir, source } = yard;
  const depot = {
    directory: join(dir, 'other-depot'),
    target: { kind: 'source', source, defaultBranch: 'main' },
  } as const;
  const root = join(dir, 'other-root');
  return { ...yard, root, depot, archive: archiveOf(depot), worktree: join(root, '.worktrees', WORKER) };
}

/** Packs what is carried: a file, and the commit in it. */
async function makePacked(): Promise<
  Work & { readonly saved: string; readonly file: string; readonly sha256: string }
> {
  const work = await makeMessy();
  const { yard } = work;
  const { commit: saved } = await checkpoint(yard.git, save(yard));
  const packed = await pack(yard.git, packing(yard, saved), sha256Of);
  if (packed.kind !== 'packed') throw new Error(packed.kind);
  return { ...work, saved, file: packed.path, sha256: packed.sha256 };
}

function packing({ archive: repo, dir }: Yard, commit: string): Parameters<typeof pack>[1] {
  return { repo, refs: [{ name: 'work', commit }], not: [], spool: join(dir, 'spool'), id: 'p1', maxBytes: 1e9 };
}

function taking(
  { dir }: Yard,
  { saved, file, sha256 }: { saved: string; file: string; sha256: string },
): Omit<Parameters<typeof unpack>[1], 'repo'> {
  return { file, sha256, refs: [{ name: 'work', commit: saved, into: CARRIED }], spool: join(dir, 'inbox'), id: 'u1' };
}

/** Steps by name, as people know them. */
export const MOVE_STEPS: Readonly<Record<string, KillStep>> = {
  'move: save': {
    async make() {
      const scene = await makeMessy();
      const { yard } = scene;
      const before = await stateOf(yard);
      return {
        scene,
        act: (git) => checkpoint(git, save(yard)),
        async judge() {
          await expectMainAtBase(scene);
          await expectText('the worktree', { found: stateOf(yard).then(String), wanted: String(before) });
          const found = yard.sh(yard.archive, 'show', `${CARRIED}:-rf`);
          await expectText('a new file', { found, wanted: 'dash' });
        },
      };
    },
  },
  'move: pack': {
    async make() {
      const scene = await makeMessy();
      const { yard } = scene;
      const { commit } = await checkpoint(yard.git, save(yard));
      return {
        scene,
        act: async (git) => (await pack(git, packing(yard, commit), sha256Of)).kind,
        judge: () => expectMainAtBase(scene),
      };
    },
  },
  'move: unpack': {
    async make() {
      const packed = await makePacked();
      const { yard } = packed;
      const other = otherMachine(yard);
      const { archive: repo } = other;
      const scene = { ...packed, others: [repo] };
      return {
        scene,
        async act(git) {
          await bringBase(git, other.depot);
          return unpack(git, { ...taking(yard, packed), repo }, sha256Of);
        },
        async judge() {
          await expectMainAtBase(scene);
          await expectText('what came', { found: yard.sh(repo, 'rev-parse', CARRIED), wanted: packed.saved });
        },
      };
    },
  },
  'move: restore': {
    async make() {
      const packed = await makePacked();
      const { yard, saved, head } = packed;
      const other = otherMachine(yard);
      const { archive: repo, worktree: path } = other;
      const before = await stateOf(yard);
      await bringBase(yard.git, other.depot);
      await unpack(yard.git, { ...taking(yard, packed), repo }, sha256Of);
      const scene = { ...packed, others: [repo] };
      return {
        scene,
        async act(git) {
          await ensureWorktree(git, await placeOf(other, WORKER, git));
          const request = { ...inYard(other), commit: saved, saveAs: 's1', now: NOW };
          return (await restoreCheckpoint(git, request)).kind;
        },
        async judge() {
          await expectMainAtBase(scene);
          await expectText('its HEAD', { found: yard.sh(path, 'rev-parse', 'HEAD'), wanted: head });
          const found = stateOf({ ...yard, worktree: path }).then(String);
          await expectText('the work', { found, wanted: String(before) });
        },
      };
    },
  },
  'move: clear the old place': {
    async make() {
      const scene = await makeMessy();
      const { yard, heads } = scene;
      const { archive: repo, worktree: path } = yard;
      const { commit } = await checkpoint(yard.git, save(yard));
      return {
        scene: { ...scene, heads: [...heads, commit] },
        async act(git) {
          const request = { archive: repo, path, worker: WORKER, base: 'origin/main', id: 'm1', now: NOW };
          const { kind } = await removeWorktree(git, { ...request, force: true });
          // Counts a place that was removed by then as removed.
          return kind === 'absent' ? 'removed' : kind;
        },
        async judge() {
          await expectMainAtBase(scene);
          const branches = yard.sh(repo, 'for-each-ref', '--format=%(refname)', `refs/heads/${BRANCH}`);
          await expectText('its branch', { found: branches, wanted: '' });
          const trash = (await yard.sh(repo, 'for-each-ref', '--format=%(refname)', 'refs/drover/trash')).split('\n');
          const kept = await Promise.all(trash.map((ref) => yard.sh(repo, 'ls-tree', '-r', '--name-only', ref)));
          if (!kept.some((names) => names.includes('staged-new.txt'))) throw new Error('the trash lacks a file');
        },
      };
    },
  },
};
