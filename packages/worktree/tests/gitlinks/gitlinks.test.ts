/** Commits of other repositories that work names count only where they can be fetched, whatever an agent writes. */
import { mkdir, symlink } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lackingGitlinks } from '../../src/gitlinks/gitlinks.ts';
import { namingOf } from '../../src/gitlinks/naming.ts';
import { extendChain, makeCandidate } from '../../src/index.ts';
import { placeIn, workAt } from '../depot/support.ts';
import { type Yard, makeSource, makeYard } from '../support.ts';

/** A repository at a path with one commit. Returns the commit. */
async function makeRepository(yard: Yard, at: string): Promise<string> {
  await mkdir(at, { recursive: true });
  await yard.sh(at, 'init', '-q', '-b', 'main');
  return yard.commit(at, { 'app.js': 'code\n' }, 'scaffold');
}

/** The work: a gitlink at `frontend`, with what `.gitmodules` says. Returns the worker's head. */
async function linkTo(yard: Yard, commit: string, settings?: string): Promise<string> {
  await yard.sh(yard.worktree, 'update-index', '--add', '--cacheinfo', `160000,${commit},frontend`);
  if (settings !== undefined) {
    await yard.write(yard.worktree, { '.gitmodules': settings });
    await yard.sh(yard.worktree, 'add', '.gitmodules');
  }
  await yard.sh(yard.worktree, 'commit', '-qm', 'Scaffold');
  return yard.sh(yard.worktree, 'rev-parse', 'HEAD');
}

/** Judges a commit at these addresses. */
async function judged(yard: Yard, commit: string, ...addresses: readonly string[]) {
  const named = [{ path: 'frontend', commit, addresses }];
  const [found] = await lackingGitlinks(yard.git, named, await namingOf(yard.git, placeIn(yard), yard.worktree));
  return found;
}

async function gitlinksOf(yard: Yard, head: string) {
  const made = await makeCandidate(yard.git, placeIn(yard), workAt(yard, head));
  return made.kind === 'candidate' ? made.gitlinks : made;
}

test('given a repository that an agent made inside of its own, when the candidate is made, then its commit is nowhere to be had', async () => {
  await using yard = await makeYard();
  const commit = await makeRepository(yard, join(yard.worktree, 'frontend'));
  const head = await linkTo(yard, commit);

  expect(await gitlinksOf(yard, head)).toEqual([
    { path: 'frontend', commit, address: null, found: 'nowhere', why: '' },
  ]);
});

test('given a worktree that an agent made of its clone and added with all else, when the candidate is made, then its commit is nowhere to be had', async () => {
  await using yard = await makeYard();
  await yard.sh(yard.worktree, 'worktree', 'add', '-q', '-b', 'helper', '.claude/worktrees/agent-1');
  const commit = await yard.commit(join(yard.worktree, '.claude/worktrees/agent-1'), { 'found.txt': 'found' });
  const head = await yard.commit(yard.worktree, { 'mine.txt': 'mine' });

  expect(await gitlinksOf(yard, head)).toEqual([
    { path: '.claude/worktrees/agent-1', commit, address: null, found: 'nowhere', why: '' },
  ]);
});

test('given a submodule whose address has its commit, at a branch or before it, then nothing is said of it', async () => {
  await using yard = await makeYard();
  const library = join(yard.dir, 'library');
  const commit = await makeRepository(yard, library);
  await yard.commit(library, { 'app.js': 'newer\n' }, 'newer');
  const head = await linkTo(yard, commit, `[submodule "frontend"]\n\tpath = frontend\n\turl = ${library}\n`);

  expect(await gitlinksOf(yard, head)).toEqual([]);
});

test('given a submodule of main that work moves to another path, then nobody is asked about it', async () => {
  await using yard = await makeYard();
  const commit = 'c'.repeat(40);
  await yard.sh(yard.source, 'update-index', '--add', '--cacheinfo', `160000,${commit},old`);
  await yard.sh(yard.source, 'commit', '-qm', 'a submodule');
  await yard.sh(yard.worktree, 'pull', '-q', yard.source, 'main');
  await yard.sh(yard.worktree, 'rm', '-q', '--cached', 'old');
  const head = await linkTo(yard, commit);

  expect(await gitlinksOf(yard, head)).toEqual([]);
});

test('given the address of a source, then addresses are relative to its remote, or else to its place', async () => {
  await using yard = await makeYard();
  const place = placeIn(yard);
  expect(await namingOf(yard.git, place, yard.worktree)).toMatchObject({ origin: yard.source });

  await yard.sh(yard.source, 'remote', 'add', 'origin', 'https://host.example/app');
  expect(await namingOf(yard.git, place, yard.worktree)).toMatchObject({ origin: 'https://host.example/app' });
});

test('given an address without the commit, with an object that is none, one that is not there, and one that is not reached, then each is told', async () => {
  await using yard = await makeSource();
  const missing = 'c'.repeat(40);
  const tree = await yard.sh(yard.source, 'rev-parse', 'HEAD^{tree}');

  expect(await judged(yard, missing, yard.source)).toMatchObject({
    path: 'frontend',
    commit: missing,
    address: yard.source,
    found: 'absent',
    why: 'does not have cccccccccccc',
  });
  expect(await judged(yard, tree, yard.source)).toMatchObject({ found: expect.stringMatching(/absent|unknown/u) });
  expect(await judged(yard, missing, join(yard.dir, 'nothing'))).toMatchObject({
    found: 'absent',
    why: 'is not there',
  });
  const silent = await judged(yard, missing, 'ssh://127.0.0.1:1/x.git');
  expect(silent).toMatchObject({ found: 'unknown', why: expect.stringContaining('could not be asked') });
});

test('given an address that leads into the worktree, straight or through a link, then what is there does not count', async () => {
  await using yard = await makeYard();
  const inside = join(yard.worktree, 'frontend');
  const commit = await makeRepository(yard, inside);
  const link = join(yard.dir, 'link');
  await symlink(join(inside, '.git'), link);

  for (const url of [inside, `file://${inside}/.git`, link, `file://${link}/../.git`])
    expect(await judged(yard, commit, url)).toMatchObject({ found: 'absent', why: expect.stringContaining('own dir') });
});

test('given settings that would have git run a program or read an option, then none is run and none counts', async () => {
  await using yard = await makeSource();
  const proof = join(yard.dir, 'proof');
  const head = await yard.sh(yard.source, 'rev-parse', 'HEAD');
  const urls = [`ext::sh -c touch% ${proof}`, `--upload-pack=touch ${proof}`, `ssh://-oProxyCommand=touch ${proof}/x`];
  for (const url of urls) expect(await judged(yard, head, url)).toMatchObject({ found: 'nowhere' });
  // A repository whose own settings name programs.
  await yard.sh(yard.source, 'config', 'uploadpack.packObjectsHook', `touch ${proof}; false`);
  await yard.sh(yard.source, 'config', 'core.fsmonitor', `touch ${proof}`);
  await yard.sh(yard.source, 'config', 'core.alternateRefsCommand', `touch ${proof}`);
  await yard.sh(yard.source, 'config', 'remote.origin.uploadpack', `touch ${proof}`);
  expect(await judged(yard, head, yard.source)).toBe(undefined);
  expect(existsSync(proof)).toBe(false);
});

test('given two addresses for one path, then the one that has the commit does not count', async () => {
  await using yard = await makeSource();
  const commit = await yard.sh(yard.source, 'rev-parse', 'HEAD');

  const found = await judged(yard, commit, yard.source, 'https://else.invalid/x');

  expect(found).toMatchObject({ found: 'nowhere', why: expect.stringContaining('twice') });
});

test('given more submodules than are asked about, then the others do not count', async () => {
  await using yard = await makeSource();
  const named = Array.from({ length: 12 }, (_, at) => ({ path: `p${at}`, commit: 'c'.repeat(40), addresses: ['/no'] }));

  const found = await lackingGitlinks(yard.git, named, { origin: yard.source, own: [] });

  expect(found.map((one) => one.found)).toEqual([...Array(8).fill('absent'), ...Array(4).fill('unknown')]);
});

test('given work that names a commit of nowhere, when it is to come along with other work, then it is left out with the path', async () => {
  await using yard = await makeYard();
  const commit = await makeRepository(yard, join(yard.worktree, 'frontend'));
  const head = await linkTo(yard, commit);
  await makeCandidate(yard.git, placeIn(yard), workAt(yard, head));
  const onto = await yard.sh(yard.source, 'rev-parse', 'main');
  const { worker } = workAt(yard, head);

  const made = await extendChain(yard.git, placeIn(yard), {
    onto,
    root: yard.root,
    archive: yard.archive,
    items: [{ worker, at: { head, tree: null } }],
  });

  expect(made).toMatchObject({ links: [], left: [{ why: 'changed', detail: expect.stringContaining('"frontend"') }] });
});
