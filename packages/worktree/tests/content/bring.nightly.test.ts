// Tests that the content that Git LFS keeps reaches main with the commits that point to it, and that main stays where
// it cannot.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type DepotPlace, type Git, makeCandidate, offer, publish } from '../../src/index.ts';
import { WORKER, type Yard, makeYard, sha256Of } from '../support.ts';
import { placeAtHome, SOUND } from '../depot/home-port.ts';
import { placeIn, workAt } from '../depot/support.ts';

const TEXT = 'the content of a large file\n';
const SHA = createHash('sha256').update(TEXT).digest('hex');
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${SHA}\nsize ${TEXT.length}\n`;
const ATTRIBUTES = { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' };

const inStore = (lfs: string, sha = SHA): string => join(lfs, 'objects', sha.slice(0, 2), sha.slice(2, 4), sha);
const storeOf = ({ archive }: Pick<Yard, 'archive'>): string => join(archive, 'content', WORKER, 'lfs');

/** Puts the content where git-lfs leaves it in the clone when an agent adds a file. */
async function put(lfs: string, text = TEXT): Promise<string> {
  const path = inStore(lfs);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

/** Work that adds a pointer, as a candidate of the place. */
async function makeWork(
  yard: Yard,
  place: DepotPlace,
  files: Record<string, string> = { 'a.bin': POINTER },
): Promise<Parameters<typeof publish>[2]> {
  const head = await yard.commit(yard.worktree, files, 'the work');
  return candidateOf(yard, place, head);
}

async function candidateOf(yard: Yard, place: DepotPlace, head: string): Promise<Parameters<typeof publish>[2]> {
  const made = await makeCandidate(yard.git, place, workAt(yard, head));
  if (made.kind !== 'candidate') throw new Error(made.kind);
  return { worker: WORKER, base: made.base, commit: made.commit, content: { archive: yard.archive, sha256Of } };
}

/** A yard whose project gives `*.bin` to Git LFS. */
async function makeLarge(): Promise<Yard> {
  const yard = await makeYard();
  await yard.commit(yard.source, ATTRIBUTES, 'large files');
  await yard.sh(yard.worktree, 'pull', '-q', '--ff-only', 'origin', 'main');
  return yard;
}

const main = (yard: Yard): Promise<string> => yard.sh(yard.source, 'rev-parse', 'main');

test('given new content in the clone, when work is published to a directory, then the content is there as a file of its own', async () => {
  await using yard = await makeLarge();
  const made = await makeWork(yard, placeIn(yard));
  const from = await put(storeOf(yard));

  const when = await publish(yard.git, placeIn(yard), made);

  expect(when.kind).toBe('published');
  const arrived = inStore(join(yard.source, '.git/lfs'));
  expect(await readFile(arrived, 'utf8')).toBe(TEXT);
  expect((await stat(arrived)).ino).not.toBe((await stat(from)).ino);
});

test('given a source that keeps content in a directory of its own, when work is published, then the content is there', async () => {
  await using yard = await makeLarge();
  await yard.sh(yard.source, 'config', 'lfs.storage', join(yard.dir, 'large'));
  const made = await makeWork(yard, placeIn(yard));
  await put(storeOf(yard));

  await publish(yard.git, placeIn(yard), made);

  expect(await readFile(inStore(join(yard.dir, 'large')), 'utf8')).toBe(TEXT);
});

test.each(['source', 'home', 'remote'] as const)(
  'given content that is not in the clone and a target of the kind "%s", when work is published, then main stays and the file is named',
  async (kind) => {
    await using yard = await makeLarge();
    const place = placeOf(kind, yard);
    const made = await makeWork(yard, place);

    const when = await publish(withLfs(yard.git, 'installed'), place, made);

    expect(when).toMatchObject({ kind: 'lacking', why: expect.stringMatching(/"a\.bin".*git lfs pull/u) });
    expect(await main(yard)).toBe(made.base);
  },
);

/** The remote is the source itself, by its address: nothing gets as far as a push. */
function placeOf(kind: 'source' | 'home' | 'remote', yard: Yard): DepotPlace {
  if (kind === 'source') return placeIn(yard);
  if (kind === 'home') return placeAtHome(yard, () => yard.git);
  const url = `file://${yard.source}`;
  return { directory: join(yard.dir, 'depot'), target: { kind: 'remote', url, defaultBranch: 'main' } };
}

/** A machine on which git-lfs is there and sends nothing, or is not there. */
function withLfs(git: Git, is: 'installed' | 'missing'): Git {
  return {
    ...git,
    run: async (program, args, options) => {
      if (!args.includes('lfs')) return git.run(program, args, options);
      const status = is === 'installed' ? 0 : 1;
      return { status, signal: undefined, stdout: '', stderr: '', timedOut: false };
    },
  };
}

test('given files that only look like pointers, or that are whole, when work is published, then nothing is missing', async () => {
  await using yard = await makeLarge();
  const made = await makeWork(yard, placeIn(yard), {
    'about.md': POINTER,
    'whole.bin': 'whole\n',
    'other.bin': POINTER.replace('sha256:', 'sha1:'),
  });

  expect((await publish(yard.git, placeIn(yard), made)).kind).toBe('published');
});

test('given a pointer that main has under another name, when work is published, then its content is not asked for', async () => {
  await using yard = await makeLarge();
  await yard.commit(yard.source, { 'old.bin': POINTER }, 'of people');
  await yard.sh(yard.worktree, 'pull', '-q', '--ff-only', 'origin', 'main');
  await yard.sh(yard.worktree, 'mv', 'old.bin', 'new.bin');
  const made = await makeWork(yard, placeIn(yard), {});

  expect((await publish(yard.git, placeIn(yard), made)).kind).toBe('published');
});

test('given names with line ends and quotes, and many files, when work is published, then each content is found', async () => {
  await using yard = await makeLarge();
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`many/${at}.txt`, `${at}\n`]));
  const made = await makeWork(yard, placeIn(yard), { ...many, 'a\n":b.bin': POINTER });

  const lacking = await publish(yard.git, placeIn(yard), made);
  await put(storeOf(yard));

  expect(lacking.kind).toBe('lacking');
  expect((await publish(yard.git, placeIn(yard), made)).kind).toBe('published');
});

test('given main on another machine, when work is published from here, then its content goes there, checked on both sides', async () => {
  await using yard = await makeLarge();
  let garble = true;
  const place = placeAtHome(yard, () => yard.git, {
    ...SOUND,
    carry: async (file, { path }) => {
      const bytes = await readFile(file.path);
      const isContent = bytes.toString('utf8') === TEXT;
      await writeFile(path, garble && isContent ? bytes.map((byte) => byte ^ 1) : bytes);
    },
  });
  const made = await makeWork(yard, place);
  await put(storeOf(yard));

  await expect(publish(yard.git, place, made)).rejects.toThrow(SHA);
  expect(await main(yard)).toBe(made.base);
  garble = false;
  const when = await publish(yard.git, place, made);

  expect(when.kind).toBe('published');
  expect(await readFile(inStore(join(yard.source, '.git/lfs')), 'utf8')).toBe(TEXT);
});

test('given content larger than a parcel, when work is published from another machine, then main stays and the setting is named', async () => {
  await using yard = await makeLarge();
  const whole = placeAtHome(yard, () => yard.git);
  const place = { ...whole, target: { ...whole.target, home: { ...whole.target.home, maxBytes: 10 } } };
  const made = await makeWork(yard, place);
  await put(storeOf(yard));

  const when = await publish(yard.git, place, made);

  expect(when).toMatchObject({ kind: 'lacking', why: expect.stringContaining('coordinator.parcel_max_mib') });
});

test('given a machine that says nothing of its content, when it has the home publish, then the home refuses', async () => {
  await using yard = await makeLarge();
  const place = placeAtHome(yard, () => yard.git);
  const silent = { ...place.target.home, keep: () => Promise.resolve() };
  const made = await makeWork(yard, place);
  await put(storeOf(yard));

  const when = await publish(yard.git, { ...place, target: { ...place.target, home: silent } }, made);

  expect(when.kind).toBe('lacking');
  expect(await main(yard)).toBe(made.base);
});

test('given a machine without git-lfs, when work is published to an address, then main stays and people are told what to install', async () => {
  await using yard = await makeLarge();
  const place = placeOf('remote', yard);
  const made = await makeWork(yard, place);
  await put(storeOf(yard));

  const when = await publish(withLfs(yard.git, 'missing'), place, made);

  expect(when).toMatchObject({ kind: 'lacking', why: expect.stringContaining('install git-lfs') });
  expect(await main(yard)).toBe(made.base);
});

test('given a repository that names a server, when work is published to an address, then nothing is sent before the owner has set it', async () => {
  await using yard = await makeLarge();
  const place = placeOf('remote', yard);
  const lfsconfig = '[lfs]\n\turl = https://127.0.0.1:1/elsewhere\n';
  const made = await makeWork(yard, place, { 'a.bin': POINTER, '.lfsconfig': lfsconfig });
  await put(storeOf(yard));
  const calls: (readonly string[])[] = [];
  const installed = withLfs(yard.git, 'installed');
  const git: Git = {
    ...installed,
    run: (program, args, options) => (calls.push(args), installed.run(program, args, options)),
  };

  const when = await publish(git, place, made);

  expect(when).toMatchObject({ kind: 'lacking', why: expect.stringContaining('.lfsurl') });
  expect(calls.filter((args) => args.includes('--object-id'))).toEqual([]);
});

const HAS_LFS = spawnSync('git', ['lfs', 'version']).status === 0;

/** A yard with git-lfs for its people and its agent, and a bare remote with main. */
async function makeReal(): Promise<Yard & { readonly remote: string; readonly place: DepotPlace }> {
  const yard = await makeLarge();
  await yard.sh(yard.dir, 'lfs', 'install', '--skip-repo');
  const remote = join(yard.dir, 'remote.git');
  await yard.sh(yard.dir, 'clone', '-q', '--bare', yard.source, remote);
  const target = { kind: 'remote', url: `file://${remote}`, defaultBranch: 'main' } as const;
  return { ...yard, remote, place: { directory: join(yard.dir, 'depot'), target } };
}

describe.skipIf(!HAS_LFS)('with git-lfs', () => {
  test('given a large file of an agent, when it is published to an address, then a clone of that address has its content', async () => {
    await using yard = await makeReal();
    const made = await makeWork(yard, yard.place, { 'a.bin': TEXT });

    const when = await publish(yard.git, yard.place, made);

    expect(when.kind).toBe('published');
    expect(await yard.sh(yard.remote, 'show', 'main:a.bin')).toContain('git-lfs.github.com');
    await yard.sh(yard.dir, 'clone', '-q', `file://${yard.remote}`, 'reader');
    expect(await yard.read(join(yard.dir, 'reader'), 'a.bin')).toBe(TEXT);
    // The copy that was sent is not kept.
    expect(await yard.git.files.stat(join(yard.dir, 'depot/depot.git/lfs'))).toBeUndefined();
  });

  test('given work that is handed over as a branch, when it is pushed, then its content goes along', async () => {
    await using yard = await makeReal();
    const made = await makeWork(yard, yard.place, { 'a.bin': TEXT });

    const when = await offer(yard.git, yard.place, { ...made, task: 't1', head: made.commit });

    expect(when.kind).toBe('offered');
    expect(await readFile(inStore(join(yard.remote, 'lfs')), 'utf8')).toBe(TEXT);
  });

  test('given a repository and a clone that name other servers, when the owner has set one, then the content goes there alone', async () => {
    await using yard = await makeReal();
    const [owners, other] = [join(yard.dir, 'owners.git'), join(yard.dir, 'other.git')];
    for (const at of [owners, other]) await yard.sh(yard.dir, 'clone', '-q', '--bare', yard.source, at);
    await yard.sh(yard.worktree, 'config', 'lfs.url', `file://${other}`);
    const lfsconfig = `[lfs]\n\turl = file://${other}\n`;
    const made = await makeWork(yard, yard.place, { 'a.bin': TEXT, '.lfsconfig': lfsconfig });
    await yard.sh(yard.dir, 'config', '--global', `remote.file://${yard.remote}.lfsurl`, `file://${owners}`);

    const when = await publish(yard.git, yard.place, made);

    expect(when.kind).toBe('published');
    expect(await readFile(inStore(join(owners, 'lfs')), 'utf8')).toBe(TEXT);
    for (const at of [other, yard.remote]) expect(await yard.git.files.stat(join(at, 'lfs'))).toBeUndefined();
  });

  test('given a server that takes nothing, when work is published, then main stays and the words of git-lfs are told', async () => {
    await using yard = await makeReal();
    const made = await makeWork(yard, yard.place, { 'a.bin': TEXT });
    await writeFile(join(yard.remote, 'lfs'), 'no directory');

    await expect(publish(yard.git, yard.place, made)).rejects.toThrow('send what Git LFS keeps');

    expect(await yard.sh(yard.remote, 'rev-parse', 'main')).toBe(made.base);
  });

  test('given a source whose files follow main, when a large file is published, then its files have the content', async () => {
    await using yard = await makeReal();
    const made = await makeWork(yard, placeIn(yard), { 'a.bin': TEXT });

    const when = await publish(yard.git, placeIn(yard), made);

    expect(when).toEqual({ kind: 'published', checkout: { kind: 'updated' } });
    expect(await yard.read(yard.source, 'a.bin')).toBe(TEXT);
    expect(await yard.sh(yard.source, 'status', '--porcelain')).toBe('');
  });
});
