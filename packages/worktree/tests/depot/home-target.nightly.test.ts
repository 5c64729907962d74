// Tests that work is published to a repository of another machine, by parcels, like to one on this machine.
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Git, makeCandidate, publish } from '../../src/index.ts';
import { WORKER, makeYard } from '../support.ts';
import { placeAtHome, SOUND } from './home-port.ts';
import { workAt } from './support.ts';
import { describeTarget, type TargetYard } from './target-contract.ts';

interface HomeYard extends TargetYard {
  readonly source: string;
  /** Bytes of each parcel that went, in order. */
  readonly parcels: { readonly to: 'home' | 'here'; readonly bytes: number }[];
  readonly spool: string;
  /** Changes a parcel on its way. */
  garble: ((content: Buffer) => Buffer) | null;
}

/** Files on their way can be changed, and the machine with main dies at a call. */
async function makeTarget(): Promise<HomeYard> {
  const yard = await makeYard();
  const made = { garble: null as HomeYard['garble'], at: yard.git };
  const parcels: HomeYard['parcels'] = [];
  const place = placeAtHome(yard, () => made.at, {
    ...SOUND,
    carry: async (file, { machine, path }) => {
      const content = await readFile(file.path);
      await writeFile(path, made.garble?.(content) ?? content);
      parcels.push({ to: machine, bytes: file.bytes });
    },
  });
  const dying = (when: 'before' | 'after') => (git: Git) => {
    const run: Git['run'] = async (program, args, options) => {
      const isMove = args.includes('update-ref') && args.some((word) => word.startsWith('drover: accept'));
      if (!isMove) return git.run(program, args, options);
      made.at = yard.git;
      if (when === 'after') await git.run(program, args, options);
      throw new Error('killed');
    };
    made.at = { ...git, run };
    return git;
  };
  return {
    yard,
    source: yard.source,
    place,
    parcels,
    spool: place.target.home.spool,
    get garble() {
      return made.garble;
    },
    set garble(change) {
      made.garble = change;
    },
    main: () => yard.sh(yard.source, 'rev-parse', 'main'),
    advance: (files) => yard.commit(yard.source, files, 'theirs'),
    dyingBeforeMove: dying('before'),
    dyingAfterMove: dying('after'),
    [Symbol.asyncDispose]: () => yard[Symbol.asyncDispose](),
  };
}

describeTarget('home', makeTarget);

async function candidateOf({ yard, place }: TargetYard, files: Record<string, string> = { 'w.txt': 'w\n' }) {
  const made = await makeCandidate(yard.git, place, workAt(yard, await yard.commit(yard.worktree, files)));
  if (made.kind !== 'candidate') throw new Error(made.kind);
  return { worker: WORKER, base: made.base, commit: made.commit };
}

test('given files of people in the home, when work is published from elsewhere, then unchanged ones follow and changed ones stop it', async () => {
  await using target = await makeTarget();
  const { yard, source } = target;
  const made = await candidateOf(target);
  await writeFile(join(source, 'w.txt'), 'of a person\n');

  const blocked = await publish(yard.git, target.place, made);
  await yard.git.files.rm(join(source, 'w.txt'));
  const published = await publish(yard.git, target.place, made);

  expect(blocked).toEqual({ kind: 'blocked', path: source, files: ['w.txt'] });
  expect(published).toEqual({ kind: 'published', checkout: { kind: 'updated' } });
  expect(await readFile(join(source, 'w.txt'), 'utf8')).toBe('w\n');
  expect(await yard.sh(source, 'status', '--porcelain')).toBe('');
});

test('given a machine with main that dies when its branch has moved and no file, when the work is published again, then the files follow and nothing is left', async () => {
  await using target = await makeTarget();
  const { yard, source } = target;
  const made = await candidateOf(target);
  await expect(publish(target.dyingAfterMove(yard.git), target.place, made)).rejects.toThrow('killed');
  expect(await yard.sh(source, 'status', '--porcelain')).not.toBe('');

  expect((await publish(yard.git, target.place, made)).kind).toBe('published');

  expect(await yard.sh(source, 'status', '--porcelain')).toBe('');
  expect(await yard.sh(source, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  expect(await yard.sh(join(yard.dir, 'home-depot/depot.git'), 'for-each-ref', 'refs/drover/carried')).toBe('');
});

test('given a machine that has main, when one more commit comes or goes, then only that commit is carried', async () => {
  await using target = await makeTarget();
  const large = createHash('sha512').update('x').digest('hex').repeat(800);
  await target.advance({ 'large.txt': [...large].map((letter, at) => letter + String(at * 7919)).join('') });
  await publish(target.yard.git, target.place, await candidateOf(target));
  await target.advance({ 'small.txt': 's\n' });
  await candidateOf(target, { 'v.txt': 'v\n' });

  const [whole, ...others] = target.parcels;

  expect(whole?.bytes).toBeGreaterThan(100_000);
  expect(others.map(({ to }) => to)).toEqual(['home', 'here']);
  for (const { bytes } of others) expect(bytes).toBeLessThan(5_000);
});

test('given a parcel that becomes something else on its way, when it arrives, then neither side has anything of it', async () => {
  await using target = await makeTarget();
  const { yard } = target;
  const made = await candidateOf(target);
  target.garble = (content) => Buffer.concat([content.subarray(0, -1), Buffer.from([(content.at(-1) ?? 0) ^ 1])]);

  await expect(publish(yard.git, target.place, made)).rejects.toThrow('not sound');
  await target.advance({ 'theirs.txt': 't\n' });
  await expect(makeCandidate(yard.git, target.place, workAt(yard, made.commit))).rejects.toThrow('not sound');

  expect(await yard.sh(target.source, 'for-each-ref', '--format=%(refname)', 'refs/drover')).toBe('');
  expect(await readdir(target.spool)).toEqual([]);
});
