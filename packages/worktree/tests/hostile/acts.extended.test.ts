/** Tests each act of the git flow in repositories that name programs and rules for everything: none of them runs, and the act does what it is for. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  bringBase,
  checkpoint,
  ensureWorktree,
  extendChain,
  makeCandidate,
  newestTips,
  pack,
  prepareForTask,
  publish,
  recycle,
  removeWorktree,
  restoreCheckpoint,
  unpack,
} from '../../src/index.ts';
import { placeAtHome } from '../depot/home-port.ts';
import { placeIn, workAt } from '../depot/support.ts';
import { COMMITTED, poison, settingsOf } from './programs.ts';
import {
  addWorker,
  BRANCH,
  inYard,
  NOW,
  placeOf,
  rebaseIn,
  WORKER,
  type Yard,
  makeYard,
  sha256Of,
} from '../support.ts';

const OTHER = 'bert';

/** A worker with hostile content, another with a plain commit, and a newer main. */
interface Hostile {
  readonly yard: Yard;
  readonly head: string;
  readonly other: { readonly at: string; readonly head: string };
}

/**
 * Makes a commit with all that it can carry: attributes for each file, links out, a submodule with an address, names
 * that differ in case, deep and long ones.
 */
async function makeHostile(): Promise<Hostile> {
  const yard = await makeYard();
  const { worktree, source } = yard;
  const elsewhere = await addWorker(yard, OTHER);
  const other = { at: elsewhere, head: await yard.commit(elsewhere, { 'other.txt': 'o\n' }, 'the other work') };
  const submodule = `[submodule "x"]\n\tpath = sub\n\turl = https://127.0.0.1:1/x.git\n\tupdate = merge\n`;
  await yard.write(worktree, {
    '.gitattributes': COMMITTED,
    '.gitmodules': submodule,
    'Name.txt': 'upper\n',
    'name.txt': 'lower\n',
    [`${'deep/'.repeat(40)}f.txt`]: 'deep\n',
    [`${'l'.repeat(250)}`]: 'long\n',
    'sub/.keep': '',
  });
  await symlink('/etc/passwd', join(worktree, 'passwd'));
  await symlink('../../../..', join(worktree, 'above'));
  await yard.sh(worktree, 'add', '-A', '--', '.', ':!sub');
  await yard.sh(worktree, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
  await yard.sh(worktree, 'commit', '-q', '-m', 'the work');
  const head = await yard.sh(worktree, 'rev-parse', 'HEAD');
  await yard.commit(source, { 'main.txt': 'm\n' }, 'meanwhile');
  for (let count = 0; count < 300; count += 1)
    await writeFile(join(worktree, '.git/refs/heads', `${'r'.repeat(180)}-${count}`), `${head}\n`);
  // Filters of a repository's own configuration run where its files are read and written (docs/git.md), and so do its encodings.
  const settings = settingsOf(yard).filter(([name]) => !name.startsWith('filter.'));
  for (const at of [worktree, elsewhere, source]) await poison(yard, at, { settings, attributes: COMMITTED });
  return { yard, head, other };
}

async function candidateOf({ yard, head }: Hostile, place = placeIn(yard)): Promise<{ base: string; commit: string }> {
  const made = await makeCandidate(yard.git, place, workAt(yard, head));
  if (made.kind !== 'candidate') throw new Error(made.kind);
  return made;
}

function saving(yard: Yard): Parameters<typeof checkpoint>[1] {
  return { ...inYard(yard), id: 'c1', reason: 'manual', why: '', now: NOW };
}

/** Acts, and the result that each must have. */
const ACTS: Readonly<Record<string, { readonly wanted: unknown; act(hostile: Hostile): Promise<unknown> }>> = {
  'a candidate is made and published': {
    wanted: 'published',
    async act(hostile) {
      const { yard } = hostile;
      const { base, commit } = await candidateOf(hostile);
      return (await publish(yard.git, placeIn(yard), { worker: WORKER, base, commit })).kind;
    },
  },
  'a train is built and published': {
    wanted: ['bert', 'published'],
    async act(hostile) {
      const { yard, other } = hostile;
      const { base, commit: onto } = await candidateOf(hostile);
      const items = [{ worker: OTHER, at: { head: other.head, tree: null } }];
      const { links } = await extendChain(yard.git, placeIn(yard), {
        onto,
        root: yard.root,
        archive: yard.archive,
        items,
      });
      const commit = links[0]?.commit ?? '';
      const { kind } = await publish(yard.git, placeIn(yard), { worker: WORKER, base, commit });
      return [links[0]?.worker, kind];
    },
  },
  'main is on another machine': {
    wanted: 'published',
    async act(hostile) {
      const { yard } = hostile;
      const place = placeAtHome(yard, () => yard.git);
      const { base, commit } = await candidateOf(hostile, place);
      return (await publish(yard.git, place, { worker: WORKER, base, commit })).kind;
    },
  },
  'work is carried in a parcel': {
    wanted: [1, 'unpacked'],
    async act({ yard, head }) {
      const spool = join(yard.dir, 'spool');
      await mkdir(spool);
      const refs = [{ name: 'work', commit: head }];
      const tips = await newestTips(yard.git, { repo: yard.worktree, limit: 1 });
      const packed = await pack(
        yard.git,
        { repo: yard.worktree, refs, not: [], spool, id: 'p', maxBytes: 1e9 },
        sha256Of,
      );
      if (packed.kind !== 'packed') return packed;
      const into = [{ name: 'work', commit: head, into: 'refs/drover/checkpoints/bert/1' }];
      const request = { repo: yard.source, file: packed.path, sha256: packed.sha256, refs: into, spool, id: 'u' };
      return [tips.length, (await unpack(yard.git, request, sha256Of)).kind];
    },
  },
  'work is saved, restored elsewhere, and cleared': {
    wanted: ['saved', 'restored', 'removed'],
    async act({ yard }) {
      const { git, archive, worktree } = yard;
      await writeFile(join(worktree, 'note.txt'), 'n\n');
      const saved = await checkpoint(git, saving(yard));
      const path = await addWorker(yard, 'new');
      const request = { worktree: path, archive, worker: 'new', commit: saved.commit, saveAs: 's1', now: NOW };
      const restored = await restoreCheckpoint(git, request);
      const place = { archive, path: worktree, worker: WORKER, base: 'origin/main' };
      const removed = await removeWorktree(git, { ...place, id: 'm1', now: NOW, force: true });
      return [saved.kind, restored.kind, removed.kind];
    },
  },
  'work is rebased': {
    wanted: 'rebased',
    act: async ({ yard }) => (await rebaseIn(yard)).kind,
  },
  'merged work is cleared away': {
    wanted: 'recycled',
    async act(hostile) {
      const { yard, head } = hostile;
      const { base, commit } = await candidateOf(hostile);
      await publish(yard.git, placeIn(yard), { worker: WORKER, base, commit });
      const place = await placeOf(yard);
      return (await recycle(yard.git, { place, head, commit, now: NOW })).kind;
    },
  },
  'the next task begins': {
    wanted: 'prepared',
    async act({ yard: { git, archive, worktree, source, depot } }) {
      const options = { copyFiles: [], commits: 'set-aside', id: 't1', now: NOW } as const;
      const base = await bringBase(git, depot);
      const task = { worktree, archive, source, worker: WORKER, branch: BRANCH, base, ...options };
      return (await prepareForTask(git, task)).kind;
    },
  },
};

test.each(Object.keys(ACTS))(
  'given a clone and a source that name programs for everything, when %s, then none of them runs',
  async (name) => {
    const row = ACTS[name];
    if (row === undefined) throw new Error(name);
    const hostile = await makeHostile();
    await using yard = hostile.yard;
    await yard.git.files.rm(join(yard.dir, 'ran'));

    const came = await row.act(hostile);

    expect({ came, ran: await yard.read(yard.dir, 'ran') }).toEqual({ came: row.wanted, ran: undefined });
  },
);

test('given a place whose settings lead all addresses to a program, when the newest main is noted and work is kept, then nothing runs', async () => {
  await using yard = await makeYard();
  const program = `ext::sh -c touch% ${yard.dir}/ran`;
  await yard.sh(yard.worktree, 'config', 'protocol.ext.allow', 'always');
  for (const address of [yard.source, yard.archive, yard.dir])
    await yard.sh(yard.worktree, 'config', '--add', `url.${program}.insteadOf`, address);
  await yard.write(yard.worktree, { 'note.txt': 'n' });

  await ensureWorktree(yard.git, await placeOf(yard));
  const { commit } = await checkpoint(yard.git, saving(yard));
  const restoring = restoreCheckpoint(yard.git, { ...inYard(yard), commit, saveAs: 's', now: NOW });

  await expect(restoring).rejects.toThrow("transport 'ext' not allowed");
  expect(await yard.read(yard.dir, 'ran')).toBeUndefined();
});
