/**
 * Random acts of an agent in its place: each file that was ever committed or stashed there, and each that lies there, can still be had once
 * the place is gone. (docs/proof/lost-work.md)
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { removeWorktree } from '../../src/index.ts';
import { addWorker, BRANCH, NOW, WORKER, type Yard, makeYard } from '../support.ts';

/** Each run starts some hundred programs. DROVER_RUNS asks for more of them. */
const RUNS = Number(process.env['DROVER_RUNS'] ?? 12);

/** The worktree itself, a repository inside of it, one inside of that, and a worktree of the clone that git ignores. */
const PLACES = ['.', 'fe', 'fe/lib', 'build/wt'] as const;

const ACTS = [
  'write',
  'stage',
  'commit',
  'amend',
  'stash',
  'pop',
  'branch',
  'tag',
  'detach',
  'back',
  'reset',
  'delete-branch',
  'nest',
  'add-inside',
  'unlink',
  'sparse',
  'link',
] as const;
type Act = (typeof ACTS)[number];

const step = fc.record({ act: fc.constantFrom(...ACTS), place: fc.constantFrom(...PLACES) });

const ending = fc.constantFrom('remove', 'force', 'remove-then-force' as const);

const exists = async (yard: Yard, at: string): Promise<boolean> => (await yard.git.files.stat(at)) !== undefined;

/** Does an act as an agent would; git may refuse it. */
async function doAct(yard: Yard, { act, place }: { readonly act: Act; readonly place: string }, n: number) {
  const at = join(yard.worktree, place);
  if (act === 'nest') return place.startsWith('build') ? undefined : nest(yard, at);
  if (!(await exists(yard, join(at, '.git')))) return;
  const git = async (...args: string[]): Promise<unknown> => yard.sh(at, ...args).catch(() => undefined);
  const branch = place === '.' ? BRANCH : 'main';
  switch (act) {
    case 'write':
      return yard.write(at, { [`f${n % 3}.txt`]: `text ${n}\n` });
    case 'stage':
      return git('add', '--', `f${n % 3}.txt`);
    case 'commit':
      return yard.commit(at, { [`c${n}.txt`]: `commit ${n}\n` }).catch(() => undefined);
    case 'amend':
      return git('commit', '-q', '--amend', '--allow-empty', '-m', `amended ${n}`);
    case 'stash':
      return git('stash', '-q', '--include-untracked');
    case 'pop':
      return git('stash', 'pop', '-q');
    case 'branch':
      return git('checkout', '-q', '-b', `own${n}`);
    case 'tag':
      return git('tag', '-a', '-m', 'a tag', `v${n}`);
    case 'detach':
      return git('checkout', '-q', '--detach');
    case 'back':
      return git('checkout', '-q', branch);
    case 'reset':
      return git('reset', '-q', '--hard', place === '.' ? 'origin/main' : 'HEAD~1');
    case 'delete-branch':
      return git('branch', '-D', `own${n - 1}`);
    case 'add-inside':
      return git('add', '-A');
    case 'unlink':
      return git('rm', '-q', '--cached', 'fe');
    case 'link':
      return place === '.' ? git('worktree', 'add', '-q', '-b', `linked${n}`, 'build/wt') : undefined;
    case 'sparse':
      return git('sparse-checkout', 'set', 'build');
    default:
      return act satisfies never;
  }
}

async function nest(yard: Yard, at: string): Promise<void> {
  if ((await exists(yard, join(at, '.git'))) || at === yard.worktree) return;
  await mkdir(at, { recursive: true });
  await yard.sh(at, 'init', '-q', '-b', 'main');
  await yard.commit(at, { 'app.js': 'code\n' }, 'scaffold');
}

/** What git has in a place and in those inside of it, by name or in its memory, and what lies there and is not ignored. */
async function contentOf(yard: Yard): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const place of PLACES) {
    const at = join(yard.worktree, place);
    if (!(await exists(yard, join(at, '.git')))) continue;
    for (const blob of await blobsOf(yard, at, '--reflog')) found.add(blob);
    const paths = await yard.sh(
      at,
      '-c',
      'core.quotePath=false',
      'ls-files',
      '--others',
      '--modified',
      '--exclude-standard',
    );
    for (const path of paths.split('\n').filter((one) => one !== '' && !one.endsWith('/')))
      if ((await yard.git.files.stat(join(at, path)))?.kind === 'file')
        found.add(await yard.sh(at, 'hash-object', path));
  }
  return found;
}

/** Of commits and trees it counts what they hold: an annotation of a tag on merged work is none of it. */
async function blobsOf({ sh }: Yard, at: string, ...more: readonly string[]): Promise<readonly string[]> {
  const only = ['--filter=object:type=blob', '--filter-provided-objects'];
  const text = await sh(at, 'rev-list', '--objects', '--no-object-names', ...only, '--all', ...more);
  return text.split('\n').filter((one) => one !== '');
}

async function isLost(yard: Yard, before: ReadonlySet<string>): Promise<readonly string[]> {
  const kept = new Set(await blobsOf(yard, yard.archive));
  for (const one of await blobsOf(yard, yard.source)) kept.add(one);
  return [...before].filter((one) => !kept.has(one));
}

test(
  'given any acts of an agent, when its place is removed, then what was in it is in the archive or the source',
  { timeout: 90_000 + RUNS * 20_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), ending, async (steps, end) => {
        await using yard = await makeYard();
        for (const [n, one] of steps.entries()) await doAct(yard, one, n);
        const before = await contentOf(yard);
        const request = { archive: yard.archive, path: yard.worktree, worker: WORKER, base: 'origin/main', now: NOW };
        for (const force of end === 'remove' ? [false] : end === 'force' ? [true] : [false, true]) {
          const outcome = await removeWorktree(yard.git, { ...request, id: `nuke-${force}`, force });
          const isGone = !(await exists(yard, yard.worktree));
          expect(['removed', 'absent'].includes(outcome.kind)).toBe(isGone);
          expect(outcome.kind === 'would-lose' && force).toBe(false);
          if (isGone) expect(await isLost(yard, before)).toEqual([]);
          else expect([...(await contentOf(yard))].sort()).toEqual([...before].sort());
        }
        // The name is free for another one.
        await addWorker(yard, WORKER);
        await rm(yard.worktree, { recursive: true, force: true });
      }),
      { numRuns: RUNS, endOnFailure: false },
    );
  },
);
