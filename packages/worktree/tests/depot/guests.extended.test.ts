/** Tests that work of another machine comes along in a train, with real git: it arrives as a parcel, and the depot keeps it apart. */
import { join } from 'node:path';
import { mkdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type ParcelFile, extendChain, findGuest, makeCandidate, pack, publish, takeGuest } from '../../src/index.ts';
import { type Yard, makeYard, sha256Of } from '../support.ts';
import { placeIn, workAt } from './support.ts';

const AWAY = null;

/** The clone of another machine, with a branch of a worker there. */
async function elsewhere(yard: Yard, worker: string, files: Record<string, string>) {
  const root = join(yard.dir, 'other-root');
  const clone = join(root, '.worktrees', worker);
  await yard.sh(yard.dir, 'clone', '-q', yard.source, clone);
  await yard.sh(clone, 'checkout', '-q', '-b', `drover/${worker}`);
  return { root, clone, head: await yard.commit(clone, files, `the work of ${worker}`) };
}

/** A parcel of that work as it arrives here. */
async function arrive(
  yard: Yard,
  { clone, head, not = [] }: { clone: string; head: string; not?: readonly string[] },
): Promise<ParcelFile> {
  const spool = join(yard.dir, 'spool');
  await mkdir(spool, { recursive: true });
  const refs = [{ name: 'work', commit: head }];
  const packed = await pack(
    yard.git,
    { repo: clone, refs, not, spool, id: `p${head.slice(0, 8)}`, maxBytes: 1e9 },
    sha256Of,
  );
  if (packed.kind !== 'packed') throw new Error(packed.kind);
  return packed;
}

async function conducted(yard: Yard) {
  const head = await yard.commit(yard.worktree, { 'a.txt': 'mine\n' }, 'the work');
  const made = await makeCandidate(yard.git, placeIn(yard), workAt(yard, head));
  if (made.kind !== 'candidate') throw new Error(made.kind);
  return made;
}

function arrived(yard: Yard, { worker, head, file }: { worker: string; head: string; file: ParcelFile }) {
  return { worker, commit: head, file, spool: join(yard.dir, 'spool'), id: `u-${worker}`, sha256Of };
}

function kept(yard: Yard): Promise<string> {
  return yard.sh(
    join(placeIn(yard).directory, 'depot.git'),
    'for-each-ref',
    '--format=%(refname)',
    'refs/drover/guests',
    'refs/drover/carried',
  );
}

test('given work of another machine, when its parcel has come, then it is built like work of this one, with the same ids, and published', async () => {
  await using yard = await makeYard();
  const made = await conducted(yard);
  const bea = await elsewhere(yard, 'bea', { 'bea.txt': 'b\n' });
  const looked = await findGuest(yard.git, placeIn(yard), { worker: 'bea', head: bea.head });
  const file = await arrive(yard, { ...bea, not: looked.not });
  const taken = await takeGuest(yard.git, placeIn(yard), arrived(yard, { worker: 'bea', head: bea.head, file }));
  const at = { head: bea.head, tree: null };
  const request = { onto: made.commit, root: yard.root, archive: yard.archive };

  const items = [{ worker: 'bea', at, guest: { away: AWAY } }];
  const built = await extendChain(yard.git, placeIn(yard), { ...request, items });
  const there = await extendChain(yard.git, placeIn(yard), {
    ...request,
    root: bea.root,
    items: [{ worker: 'bea', at }],
  });

  expect(looked).toEqual({ isHere: false, not: [made.base] });
  expect(taken).toEqual({ kind: 'unpacked' });
  expect(built.links).toHaveLength(1);
  expect(there.links).toEqual(built.links);
  await publish(yard.git, placeIn(yard), {
    worker: 'ann',
    base: made.base,
    commit: built.links[0]?.commit ?? '',
  });
  expect(await yard.sh(yard.source, 'log', '--format=%s', '-2', 'main')).toBe('the work of bea\nthe work');
});

test('given work that arrived for a train, when it is looked for again, then it is here; when the next train goes without it, then it is forgotten', async () => {
  await using yard = await makeYard();
  const made = await conducted(yard);
  const { head, clone } = await elsewhere(yard, 'bea', { 'bea.txt': 'b\n' });
  const file = await arrive(yard, { clone, head });
  await takeGuest(yard.git, placeIn(yard), arrived(yard, { worker: 'bea', head, file }));
  const request = { onto: made.commit, root: yard.root, archive: yard.archive };
  await extendChain(yard.git, placeIn(yard), {
    ...request,
    items: [{ worker: 'bea', at: { head, tree: null }, guest: { away: AWAY } }],
  });

  expect(await findGuest(yard.git, placeIn(yard), { worker: 'bea', head })).toMatchObject({ isHere: true });
  expect(await kept(yard)).toBe('refs/drover/guests/heads/bea');
  await extendChain(yard.git, placeIn(yard), { ...request, items: [] });
  expect(await kept(yard)).toBe('');
});

test.each([
  ['its machine did not send', 'no connection', /^no connection$/u],
  ['nothing of it arrived', null, /did not arrive/u],
])('given that %s, when the train is built, then the others go without it', async (_, away, words) => {
  await using yard = await makeYard();
  const made = await conducted(yard);
  const items = [{ worker: 'bea', at: { head: 'b'.repeat(40), tree: null }, guest: { away } }];

  const { links, left } = await extendChain(yard.git, placeIn(yard), {
    onto: made.commit,
    root: yard.root,
    archive: yard.archive,
    items,
  });

  expect(links).toEqual([]);
  expect(left).toEqual([{ worker: 'bea', why: 'away', detail: expect.stringMatching(words) }]);
});

test('given work with a file that Git LFS keeps, when it comes from another machine, then it goes by itself, from where the content is', async () => {
  await using yard = await makeYard();
  const made = await conducted(yard);
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`;
  const { head, clone } = await elsewhere(yard, 'bea', { '.gitattributes': '*.bin filter=lfs\n', 'a.bin': pointer });
  const file = await arrive(yard, { clone, head });
  await takeGuest(yard.git, placeIn(yard), arrived(yard, { worker: 'bea', head, file }));
  const items = [{ worker: 'bea', at: { head, tree: null }, guest: { away: AWAY } }];

  const { left } = await extendChain(yard.git, placeIn(yard), {
    onto: made.commit,
    root: yard.root,
    archive: yard.archive,
    items,
  });

  expect(left).toEqual([{ worker: 'bea', why: 'away', detail: expect.stringContaining('Git LFS') }]);
});

test('given a parcel with another commit, or one that is damaged, when it is taken, then the depot keeps nothing of it', async () => {
  await using yard = await makeYard();
  await conducted(yard);
  const { head, clone } = await elsewhere(yard, 'bea', { 'bea.txt': 'b\n' });
  const other = await arrive(yard, { clone, head });
  const forged = await takeGuest(
    yard.git,
    placeIn(yard),
    arrived(yard, { worker: 'bea', head: 'c'.repeat(40), file: other }),
  );
  const cut = await arrive(yard, { clone, head });
  await writeFile(cut.path, 'no bundle');

  const damaged = await takeGuest(yard.git, placeIn(yard), arrived(yard, { worker: 'bea', head, file: cut }));

  expect([forged.kind, damaged.kind]).toEqual(['damaged', 'damaged']);
  expect(await kept(yard)).toBe('');
});
