/** Kills a step at one of its calls, of git or of a file, looks at what is left, repeats it, and compares. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { GitError, depotOf } from '../../src/index.ts';
import { placeIn } from '../depot/support.ts';
import type { Yard } from '../support.ts';
import { type Death, Killed, mortalGit } from './killing.ts';
import { KILL_STEPS } from './steps/index.ts';
import { type Begun, type Scene, environmentOf } from './steps/scene.ts';

/** A step that begins again from the same files as often as is wanted, at the same place. */
export interface Repeated extends AsyncDisposable {
  /** Calls of a whole run, of git and of files. */
  readonly calls: readonly ('git' | 'file')[];
  /**
   * Kills the call at this part of the time that it took; from 1 on the call may be over, and its answer is lost.
   * @returns what was found after the death. @throws when anything is lost, or the repetition comes to something else.
   */
  dieAt(death: Pick<Death, 'call' | 'part'>): Promise<DeathReport>;
}

interface DeathReport {
  /** True if the call was killed in the middle; else it was over by then, and only its answer was lost. */
  readonly wasHit: boolean;
  /** Locks of a killed git that the repetition met and named, and that a person removes. */
  readonly locks: number;
}

/** Makes the step's beginning once, and runs it once without a death. */
export async function repeatStep(name: string): Promise<Repeated> {
  const step = KILL_STEPS[name];
  if (step === undefined) throw new Error(`There is no step "${name}"`);
  const begun = await step.make();
  const { scene } = begun;
  const { dir } = scene.yard;
  const kept = `${dir}.kept`;
  execFileSync('cp', ['-a', dir, kept]);
  const environment = environmentOf(scene.yard);
  const whole = mortalGit(environment);
  const wanted = await begun.act(whole.git);
  await begun.judge();
  return {
    calls: whole.calls.map(({ kind }) => kind),
    async dieAt({ call, part }) {
      await rm(dir, { recursive: true, force: true });
      execFileSync('cp', ['-a', kept, dir]);
      const afterMs = part * (whole.calls[call]?.ms ?? 0);
      const { git, wasHit } = mortalGit(environment, { call, part, afterMs });
      await begun.act(git).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      await expectNothingLost(scene);
      const { answer, locks } = await repeat(begun);
      if (!isDeepStrictEqual(answer, wanted))
        throw new Error(`repeated it says ${JSON.stringify(answer)}, at first ${JSON.stringify(wanted)}`);
      await begun.judge();
      await expectNothingLost(scene);
      return { wasHit: wasHit(), locks };
    },
    [Symbol.asyncDispose]: () => scene.yard[Symbol.asyncDispose](),
  };
}

/** Locks that one death can leave: of a branch, of packed refs, of an index. */
const LOCKS_MAX = 5;

/** A lock outside of the depot may belong to a person's git. The error names its file; the person removes it, and repeats. */
async function repeat({ scene, act }: Begun): Promise<{ answer: unknown; locks: number }> {
  const environment = environmentOf(scene.yard);
  for (let locks = 0; ; locks += 1) {
    try {
      return { answer: await act(mortalGit(environment).git), locks };
    } catch (error) {
      const file = error instanceof GitError && error.code === 'locked' ? lockIn(error.message) : undefined;
      if (file === undefined || locks === LOCKS_MAX) throw error;
      if (file.startsWith(depotOf(placeIn(scene.yard))))
        throw new Error(`A lock stayed in the depot: ${file}`, { cause: error });
      await rm(file);
    }
  }
}

function lockIn(message: string): string | undefined {
  return /'([^']+\.lock)'/u.exec(message)?.[1];
}

/** A landing worktree that was being made names a commit only at its end: git says so, and no object is missing. */
const HALF_MADE = /^error: worktrees\/\S+: detached HEAD points at nothing$|^notice: .*$/u;

async function expectWhole(yard: Scene['yard'], place: string): Promise<void> {
  try {
    await yard.sh(place, 'fsck', '--connectivity-only', '--no-dangling', '--no-progress');
  } catch (error) {
    const lines = error instanceof Error ? error.message.replace(/^git fsck[^:]*: /u, '').split('\n') : [];
    if (lines.some((line) => line !== '' && !HALF_MADE.test(line))) throw error;
  }
}

/** Expects one main, at a commit that was to be there; each repository whole; each commit of the workers kept by a ref. */
async function expectNothingLost({ yard, main, heads, base, commit, others }: Scene): Promise<void> {
  const { source, archive, worktree } = yard;
  const now = await yard.sh(main, 'rev-parse', 'refs/heads/main');
  if (now !== base && now !== commit) throw new Error(`the default branch is at ${now}`);
  const clones = readdirSync(dirname(worktree)).map((name) => join(dirname(worktree), name));
  const made = [depotOf(placeIn(yard)), archive, ...clones, ...others].filter(isRepository);
  for (const place of new Set([source, main, ...made])) await expectWhole(yard, place);
  for (const head of heads) {
    const asked = [archive, ...clones].filter(isRepository).map((at) => keepersIn(yard, at, head));
    if ((await Promise.all(asked)).every((keepers) => keepers === ''))
      throw new Error(`no ref keeps the work at ${head}`);
  }
}

/** A commit that is not there has no keeper. */
function keepersIn({ sh }: Yard, at: string, head: string): Promise<string> {
  return sh(at, 'for-each-ref', `--contains=${head}`, '--format=%(refname)').catch(() => '');
}

function isRepository(path: string): boolean {
  return existsSync(join(path, 'HEAD')) || existsSync(join(path, '.git/HEAD'));
}
