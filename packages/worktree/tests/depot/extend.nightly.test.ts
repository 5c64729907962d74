/** Work of several workers is built on one another in the depot, with real git. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extendChain, makeCandidate, publish } from '../../src/index.ts';
import { addWorker, makeYard } from '../support.ts';
import type { Yard } from '../support.ts';
import { placeIn, workAt } from './support.ts';

/** A branch of another worker with one commit on main. */
async function another(yard: Yard, worker: string, files: Record<string, string>): Promise<string> {
  return yard.commit(await addWorker(yard, worker), files, `the work of ${worker}`);
}

async function conducted(yard: Yard) {
  const head = await yard.commit(yard.worktree, { 'a.txt': 'mine\n' }, 'the work');
  const made = await makeCandidate(yard.git, placeIn(yard), workAt(yard, head));
  if (made.kind !== 'candidate') throw new Error(made.kind);
  return made;
}

test('given three works of which one clashes with the one before, when they are built, then the others stand on one another, twice the same, and are published at once', async () => {
  await using yard = await makeYard();
  const made = await conducted(yard);
  const bea = await another(yard, 'bea', { 'bea.txt': 'b\n' });
  const cal = await another(yard, 'cal', { 'a.txt': 'another\n' });
  const dan = await another(yard, 'dan', { 'dan.txt': 'd\n' });
  const items = [
    { worker: 'bea', at: { head: bea, tree: null } },
    { worker: 'cal', at: { head: cal, tree: null } },
    { worker: 'dan', at: { head: dan, tree: null } },
  ];
  const request = { onto: made.commit, root: yard.root, archive: yard.archive, items };

  const first = await extendChain(yard.git, placeIn(yard), request);
  const again = await extendChain(yard.git, placeIn(yard), request);

  expect(again).toEqual(first);
  expect(first.left).toEqual([{ worker: 'cal', why: 'clash', detail: 'a.txt' }]);
  expect(first.links.map(({ worker, base }) => ({ worker, base }))).toEqual([
    { worker: 'bea', base: made.commit },
    { worker: 'dan', base: first.links[0]?.commit },
  ]);
  const tip = first.links[1]?.commit ?? '';
  await publish(yard.git, placeIn(yard), { worker: 'bea', base: made.base, commit: tip });
  expect(await yard.sh(yard.source, 'log', '--format=%s', '-3', 'main')).toBe(
    'the work of dan\nthe work of bea\nthe work',
  );
});

test('given a worker whose clone lacks the content of a large file, when it is to come along, then it is left out and the file is named', async () => {
  await using yard = await makeYard();
  const made = await conducted(yard);
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`;
  const bea = await another(yard, 'bea', { '.gitattributes': '*.bin filter=lfs\n', 'a.bin': pointer });
  const items = [{ worker: 'bea', at: { head: bea, tree: null } }];

  const { links, left } = await extendChain(yard.git, placeIn(yard), {
    onto: made.commit,
    root: yard.root,
    archive: yard.archive,
    items,
  });

  expect(links).toEqual([]);
  expect(left).toMatchObject([{ worker: 'bea', why: 'changed', detail: expect.stringContaining('"a.bin"') }]);
});

test('given a worker that has committed since its work was reviewed, when it is to come along, then it is left out and the commit is named', async () => {
  await using yard = await makeYard();
  const made = await conducted(yard);
  const bea = await another(yard, 'bea', { 'bea.txt': 'b\n' });
  await yard.commit(join(yard.root, '.worktrees/bea'), { 'bea.txt': 'later\n' }, 'one more');
  const items = [{ worker: 'bea', at: { head: bea, tree: null } }];

  const { links, left } = await extendChain(yard.git, placeIn(yard), {
    onto: made.commit,
    root: yard.root,
    archive: yard.archive,
    items,
  });

  expect(links).toEqual([]);
  expect(left).toMatchObject([
    { worker: 'bea', why: 'changed', detail: expect.stringMatching(/1 commit came after .*one more/u) },
  ]);
});

test('given other files than those that were reviewed, when work is to come along, then it is left out', async () => {
  await using yard = await makeYard();
  const made = await conducted(yard);
  const bea = await another(yard, 'bea', { 'bea.txt': 'b\n' });
  const items = [{ worker: 'bea', at: { head: bea, tree: made.tree } }];

  const { left } = await extendChain(yard.git, placeIn(yard), {
    onto: made.commit,
    root: yard.root,
    archive: yard.archive,
    items,
  });

  expect(left).toMatchObject([{ worker: 'bea', why: 'changed' }]);
});

test('given work that is in the one before already, when it is to come along, then it is left out', async () => {
  await using yard = await makeYard();
  const made = await conducted(yard);
  const bea = await another(yard, 'bea', { 'a.txt': 'mine\n' });
  const items = [{ worker: 'bea', at: { head: bea, tree: null } }];

  const { left } = await extendChain(yard.git, placeIn(yard), {
    onto: made.commit,
    root: yard.root,
    archive: yard.archive,
    items,
  });

  expect(left).toEqual([{ worker: 'bea', why: 'contained', detail: '' }]);
});

test('given a kill at any call of git, when the works are built again, then they are the same and nothing is left in the way', async () => {
  await using yard = await makeYard();
  const made = await conducted(yard);
  const bea = await another(yard, 'bea', { 'bea.txt': 'b\n' });
  const cal = await another(yard, 'cal', { 'cal.txt': 'c\n' });
  const items = [bea, cal].map((head, index) => ({ worker: index === 0 ? 'bea' : 'cal', at: { head, tree: null } }));
  const request = { onto: made.commit, root: yard.root, archive: yard.archive, items };
  const seen = new Set<string>();

  for (let last = 0; ; last += 1) {
    let calls = 0;
    const dying = {
      ...yard.git,
      run: async (...call: Parameters<typeof yard.git.run>) => {
        calls += 1;
        if (calls > last) throw new Error('killed');
        return yard.git.run(...call);
      },
    };
    const cut = await extendChain(dying, placeIn(yard), request).catch(() => null);
    seen.add(JSON.stringify(await extendChain(yard.git, placeIn(yard), request)));
    if (cut !== null) break;
    if (last > 100) throw new Error('It takes more than a hundred calls');
  }

  expect(seen.size).toBe(1);
});
