/** Real conflicts, ended in every way: what the tests of the judge stand on. */
import { expect, test } from 'vitest';
import { type Resolution, judgeResolution, rebaseOnto } from '../../src/index.ts';
import { WORKER, type Yard, makeYard } from '../support.ts';

export type Files = Record<string, string | undefined>;

/** A text of twenty lines, some of them changed. */
export function lines(changes: Record<number, string> = {}): string {
  return Array.from({ length: 20 }, (_, index) => `${changes[index + 1] ?? `line ${index + 1}`}\n`).join('');
}

/** Rebase that stopped on conflicts. */
export interface Standing extends AsyncDisposable {
  readonly yard: Yard;
  readonly at: string;
  readonly onto: string;
  readonly orig: string;
  readonly parted: string;
  /** Runs git in the worktree. */
  git(...args: string[]): Promise<string>;
  /** Writes files, adds everything, and goes on with the rebase. */
  goOn(files?: Files): Promise<void>;
  judge(newest?: string): Promise<Resolution>;
}

/** Files of each side: `base` before both, `main` on the default branch, `own` by the worker. Undefined removes a file. */
export interface Collision {
  readonly base?: Files;
  readonly main: Files;
  readonly own: Files;
}

/** The worker and the default branch change the same line of one file, and each a file of its own. */
export const PLAIN: Collision = {
  base: { 'both.txt': lines(), 'own.txt': lines(), 'main.txt': lines(), 'far.txt': lines() },
  main: {
    'both.txt': lines({ 2: 'two of main', 18: 'more of main' }),
    'main.txt': lines({ 5: 'five of main' }),
    'new-main.txt': 'main\n',
  },
  own: {
    'both.txt': lines({ 2: 'two of mine', 12: 'more of mine' }),
    'own.txt': lines({ 9: 'nine of mine' }),
    'new-own.txt': 'mine\n',
  },
};

/** Text with both sides of `PLAIN` in the file that both have changed. */
export const BOTH = lines({ 2: 'two of main\ntwo of mine', 12: 'more of mine', 18: 'more of main' });

/** Makes the conflict and begins the rebase that stops on it. */
export async function collide({ base = {}, main, own }: Collision = PLAIN): Promise<Standing> {
  const yard = await makeYard();
  const at = yard.worktree;
  const git = (...args: string[]): Promise<string> => yard.sh(at, ...args);
  const parted = await yard.commit(yard.source, base, 'before');
  await git('fetch', '-q', 'origin');
  await git('reset', '-q', '--hard', 'origin/main');
  const onto = await yard.commit(yard.source, main, 'on main');
  const orig = await yard.commit(at, own, 'by the worker');
  await git('fetch', '-q', 'origin');
  const outcome = await rebaseOnto(yard.git, { worktree: at, onto });
  if (outcome.kind !== 'conflict') throw new Error(`Expected a conflict, not "${outcome.kind}"`);
  return {
    yard,
    at,
    onto,
    orig,
    parted,
    git,
    goOn: async (files = {}) => {
      await yard.write(at, files);
      await git('add', '-A');
      await git('rebase', '--continue');
    },
    judge: (newest) =>
      judgeResolution(yard.git, {
        worktree: at,
        worker: WORKER,
        onto,
        orig,
        ...(newest === undefined ? {} : { newest }),
      }),
    [Symbol.asyncDispose]: () => yard[Symbol.asyncDispose](),
  };
}

/** Way of ending a conflict, and what git says of it. */
export interface Case {
  readonly name: string;
  readonly collision?: Collision;
  readonly end: (standing: Standing) => Promise<unknown>;
  readonly verdict: { readonly kind: Resolution['kind']; readonly [more: string]: unknown };
}

/** The worker and the default branch write one line of one file. */
export const ONE_LINE: Collision = { main: { 'a.txt': 'main\n' }, own: { 'a.txt': 'mine\n' } };

/** Takes the side of the worker for every file. */
export function takeOwn({ git }: Standing): Promise<string> {
  return git('checkout', '--theirs', '.');
}

/** A test for each case. */
export function testCases(cases: readonly Case[]): void {
  test.concurrent.each(cases)(
    'given a conflict, when it ended so: $name, then git says $verdict.kind',
    async ({ collision, end, verdict }) => {
      await using standing = await collide(collision);
      await end(standing);

      expect(await standing.judge()).toMatchObject(verdict);
    },
  );
}
