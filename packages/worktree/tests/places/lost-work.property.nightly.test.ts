/**
 * Random acts of an agent in its place, and of Drover on it: whatever git held there, and each file that lay there, can still be had after each
 * act of Drover's, and once the place is gone. (docs/proof/lost-work.md)
 */
import { spawnSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bringBase, checkpoint, type Git, prepareForTask, recycle, removeWorktree } from '../../src/index.ts';
import { allIn, contentOf, exists, findLost, keptBy, PLACES } from './held.ts';
import { addWorker, BRANCH, inYard, NOW, placeOf, WORKER, type Yard, makeYard } from '../support.ts';

/** Number of runs, each of which starts some hundred programs. DROVER_RUNS asks for more of them. */
const RUNS = Number(process.env['DROVER_RUNS'] ?? 12);

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
  'submodule',
  'shallow',
  'cut-history',
  'partial',
  'large',
  'note',
  'hide',
  'cut',
  'CHECKPOINT',
  'TASK',
  'MERGE',
] as const;
type Act = (typeof ACTS)[number];

/** The worktree more often than the others, which are not there in most runs. */
const place = fc.oneof({ weight: 2, arbitrary: fc.constant('.' as const) }, fc.constantFrom(...PLACES));

const step = fc.record({ act: fc.constantFrom(...ACTS), place });

const ending = fc.constantFrom('remove', 'force', 'remove-then-force' as const);

const HAS_LFS = spawnSync('git', ['lfs', 'version']).status === 0;

/** Runs an act as an agent would; git may refuse it. */
async function doAct(yard: Yard, { act, place }: { readonly act: Act; readonly place: string }, n: number) {
  const at = join(yard.worktree, place);
  if (act === 'cut') return rm(join(yard.worktree, '.git'), { recursive: true, force: true });
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
    case 'submodule':
      await makeLibrary(yard);
      await git(...LOCAL, 'submodule', '--quiet', 'add', `file://${yard.dir}/library`, 'vendor');
      return git(...LOCAL, 'submodule', '--quiet', 'update', '--init', '--recursive');
    case 'shallow':
      await makeLibrary(yard);
      return git(...LOCAL, 'clone', '-q', '--depth=1', `file://${yard.dir}/library`, 'shallow');
    case 'cut-history':
      await yard.commit(yard.source, { 'a.txt': `source ${n}\n` });
      await git('fetch', '-q', '--depth=1', `file://${yard.source}`, 'main');
      return n % 2 === 0 ? git('reset', '-q', '--hard', 'FETCH_HEAD') : undefined;
    case 'partial':
      await makeLibrary(yard);
      return git(...LOCAL, 'clone', '-q', '--filter=blob:none', `file://${yard.dir}/library`, 'partial');
    case 'large':
      if (!HAS_LFS) return;
      await yard.sh(yard.dir, 'lfs', 'install', '--skip-repo');
      await yard.write(at, { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' });
      return yard.write(at, { [`l${n % 2}.bin`]: `large ${n}\n` });
    case 'note':
      return yard.write(yard.worktree, { 'note.secret': `note ${n}\n` });
    case 'hide':
      if (place !== '.') return;
      // The source changes the file too, so that the next task has to write it.
      if (n % 3 === 0) await yard.commit(yard.source, { 'a.txt': `source ${n}\n` });
      await git('update-index', n % 2 === 0 ? '--assume-unchanged' : '--skip-worktree', 'a.txt');
      return yard.write(at, { 'a.txt': `hidden ${n}\n` });
    case 'CHECKPOINT':
    case 'TASK':
    case 'MERGE':
      return;
    default:
      return act satisfies never;
  }
}

const LOCAL = ['-c', 'protocol.file.allow=always'];

/** A repository with a submodule of its own, for submodules and clones. */
async function makeLibrary(yard: Yard): Promise<void> {
  const [library, deep] = [join(yard.dir, 'library'), join(yard.dir, 'deep')];
  if (await exists(yard, library)) return;
  for (const at of [deep, library]) {
    await mkdir(at);
    await yard.sh(at, 'init', '-q', '-b', 'main');
    await yard.commit(at, { 'lib.js': `code of ${at === deep ? 'deep' : 'library'}\n` });
  }
  await yard.sh(library, 'config', 'uploadpack.allowFilter', 'true');
  await yard.sh(library, ...LOCAL, 'submodule', '--quiet', 'add', `file://${deep}`, 'deep');
  await yard.commit(library, { 'lib.js': 'code of the library, changed\n' });
}

/** Runs what Drover does to a place while its worker lives. */
async function doDrover(yard: Yard, context: Git, act: 'CHECKPOINT' | 'TASK' | 'MERGE', n: number): Promise<void> {
  const { archive, worktree, source, depot } = yard;
  const isThere = await exists(yard, join(worktree, '.git'));
  switch (act) {
    case 'CHECKPOINT':
      if (isThere) await checkpoint(context, { ...inYard(yard), id: `c${n}`, reason: 'manual', why: '', now: NOW + n });
      return;
    case 'TASK': {
      await addWorker(yard, WORKER);
      const base = await bringBase(context, depot);
      const task = { worktree, archive, worker: WORKER, branch: BRANCH, source, base, copyFiles: [], id: `t${n}` };
      await prepareForTask(context, { ...task, now: NOW + n, commits: 'set-aside' });
      return;
    }
    case 'MERGE': {
      if (!isThere) return;
      const head = await yard.sh(worktree, 'rev-parse', 'HEAD');
      await yard.sh(source, 'fetch', '-q', worktree, head);
      const merged = await yard.sh(source, 'merge', '-q', '--no-edit', head).then(
        () => true,
        () => false,
      );
      if (!merged) return void (await yard.sh(source, 'reset', '-q', '--hard'));
      const place = await placeOf(yard);
      await recycle(context, { place, head, commit: place.base, now: NOW + n });
      return;
    }
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

test(
  'given any acts of an agent, when its place is removed, then what was in it is in the archive or the source',
  { timeout: 90_000 + RUNS * 20_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), ending, async (steps, end) => {
        await using yard = await makeYard();
        const git = { ...yard.git, keep: ['*.secret'] };
        for (const [n, one] of steps.entries()) {
          const { act } = one;
          if (act !== 'CHECKPOINT' && act !== 'TASK' && act !== 'MERGE') {
            await doAct(yard, one, n);
            continue;
          }
          const had = new Set([...(await contentOf(yard)), ...(await keptBy(yard))]);
          await doDrover(yard, git, act, n);
          expect({ act, lost: await findLost(yard, had, await allIn(yard)) }).toEqual({ act, lost: [] });
        }
        const before = await contentOf(yard);
        const request = { archive: yard.archive, path: yard.worktree, worker: WORKER, base: 'origin/main', now: NOW };
        for (const force of end === 'remove' ? [false] : end === 'force' ? [true] : [false, true]) {
          const outcome = await removeWorktree(git, { ...request, id: `nuke-${force}`, force });
          const isGone = !(await exists(yard, yard.worktree));
          expect(['removed', 'absent'].includes(outcome.kind)).toBe(isGone);
          expect(outcome.kind === 'would-lose' && force).toBe(false);
          if (isGone) expect(await findLost(yard, before)).toEqual([]);
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
