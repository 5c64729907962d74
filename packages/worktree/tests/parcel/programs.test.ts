// Tests how many programs a parcel starts, in which formats of repositories, and what survives a power cut.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Git, pack, unpack } from '../../src/index.ts';
import { nodeFiles, sha256Of } from '../support.ts';
import { INTO, makeCarried, packed } from './carried.ts';

test('given one commit, when it is packed and unpacked, then few gits start, and each part is on the disk before the next is begun', async () => {
  await using carried = await makeCarried();
  const { run } = carried.yard.git;
  const acts: string[] = [];
  const git: Git = {
    run: async (program, args, options) => {
      // Pairs come first: the directory, and settings.
      const verb = args.find((word, index) => index % 2 === 0 && word !== '-C' && word !== '-c');
      acts.push(`${verb}${args.includes('core.fsync=reference') ? ', flushed' : ''}`);
      return run(program, args, options);
    },
    files: {
      ...nodeFiles,
      async copy(from, to, { flush = false } = {}) {
        await nodeFiles.copy(from, to);
        acts.push(`${to.slice(to.lastIndexOf('/') + 1)}${flush ? ', flushed' : ''}`);
      },
    },
  };

  const file = await packed(carried, { git });
  const programsOfPack = acts.splice(0);
  await carried.unpack(file, { git });

  expect(programsOfPack).toEqual(['rev-parse', 'cat-file', 'rev-list', 'bundle']);
  expect(acts).toEqual([
    'cat-file',
    'rev-parse',
    'bundle',
    'index-pack',
    'rev-list',
    'pack-drover-one-0.pack, flushed',
    'pack-drover-one-0.idx.part, flushed',
    'cat-file',
    'update-ref, flushed',
  ]);
});

test('given repositories whose ids are SHA-256, when work is carried, then it comes whole', async () => {
  await using carried = await makeCarried();
  const { yard } = carried;
  const [sender, receiver, spool] = ['sender-256', 'receiver-256', 'spool'].map((name) => join(yard.dir, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(spool);
  await yard.sh(yard.dir, 'init', '-q', '--object-format=sha256', sender);
  const common = await yard.commit(sender, { 'a.txt': 'one\n' }, 'first');
  await yard.sh(yard.dir, 'clone', '-q', '--no-local', sender, receiver);
  const commit = await yard.commit(sender, { 'a.txt': 'two\n' }, 'second');
  const refs = [{ name: 'work', commit, into: INTO }];

  const made = await pack(yard.git, { repo: sender, refs, not: [common], spool, id: 'one', maxBytes: 1e6 }, sha256Of);
  if (made.kind !== 'packed') throw new Error(JSON.stringify(made));
  const request = { repo: receiver, file: made.path, sha256: made.sha256, refs, spool, id: 'one' };

  expect(await unpack(yard.git, request, sha256Of)).toEqual({ kind: 'unpacked' });
  expect(await yard.sh(receiver, 'rev-parse', INTO)).toBe(commit);
  await yard.sh(receiver, 'fsck', '--full', '--strict');
});

test('given a receiver that has what a parcel builds on, but not whole, when it is unpacked, then it is refused', async () => {
  await using carried = await makeCarried();
  const { yard, sender, receiver, work } = carried;
  const between = await yard.sh(sender, 'rev-parse', 'HEAD~1');
  // Expects all objects that the parcel itself names; the files of the commit before are not there.
  for (const [type, id] of [
    ['commit', between],
    ['blob', await yard.sh(sender, 'rev-parse', 'HEAD:a.txt')],
  ] as const) {
    const { stdout } = await yard.git.run('git', ['-C', sender, 'cat-file', type, id], { timeoutMs: 9_000 });
    const file = join(yard.dir, type);
    await writeFile(file, stdout);
    expect(await yard.sh(receiver, 'hash-object', '-w', '-t', type, file)).toBe(id);
  }
  const file = join(yard.dir, 'parcel');
  await yard.sh(sender, 'update-ref', 'refs/parcel/work', work);
  await yard.sh(sender, '-c', 'pack.window=0', 'bundle', 'create', '-q', file, 'refs/parcel/work', `^${between}`);

  expect(await carried.unpack(file)).toMatchObject({ kind: 'damaged', why: expect.stringContaining('gaps') });
  expect(await yard.sh(receiver, 'for-each-ref', INTO)).toBe('');
  expect(await readdir(join(yard.dir, 'in'))).toEqual([]);
});
