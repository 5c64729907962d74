/** Lets a step die at one of its git calls, looks at what is left, repeats it, and compares. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { GitError, depotOf } from '../../src/index.ts';
import { placeIn } from '../depot/support.ts';
import { type Death, Killed, mortalGit } from './killing.ts';
import { KILL_STEPS, type KillStep, type Scene, environmentOf } from './steps.ts';

/** A step that begins again from the same files as often as is wanted, at the same place. */
export interface Repeated extends AsyncDisposable {
  /** How long each git call of a whole run took, in milliseconds. */
  readonly callsMs: readonly number[];
  /** @returns what was found after the death. @throws when anything is lost, or the repetition comes to something else. */
  dieAt(death: Death): Promise<DeathReport>;
}

interface DeathReport {
  /** It was killed in the middle; else it was over by then, and only its answer was lost. */
  readonly wasHit: boolean;
  /** Locks of a killed git that the repetition met and named, and that a person removes. */
  readonly locks: number;
}

/** Makes the step's beginning once, and runs it once without a death. */
export async function repeatStep(name: string): Promise<Repeated> {
  const step = KILL_STEPS[name];
  if (step === undefined) throw new Error(`There is no step "${name}"`);
  const scene = await step.make();
  const { dir } = scene.yard;
  const kept = `${dir}.kept`;
  execFileSync('cp', ['-a', dir, kept]);
  const environment = environmentOf(scene.yard);
  const whole = mortalGit(environment);
  const wanted = await step.act(whole.git, scene);
  await step.judge(scene);
  return {
    callsMs: whole.calls.map(({ ms }) => ms),
    async dieAt(death) {
      await rm(dir, { recursive: true, force: true });
      execFileSync('cp', ['-a', kept, dir]);
      const { git, wasHit } = mortalGit(environment, death);
      await step.act(git, scene).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      await expectNothingLost(scene);
      const { answer, locks } = await repeat(step, scene);
      if (!isDeepStrictEqual(answer, wanted))
        throw new Error(`repeated it says ${JSON.stringify(answer)}, at first ${JSON.stringify(wanted)}`);
      await step.judge(scene);
      await expectNothingLost(scene);
      return { wasHit: wasHit(), locks };
    },
    [Symbol.asyncDispose]: () => scene.yard[Symbol.asyncDispose](),
  };
}

/** Locks that one death can leave: of a branch, of packed refs, of an index. */
const LOCKS_MAX = 5;

/** A lock outside of the depot may belong to a person's git. The error names its file; the person removes it, and repeats. */
async function repeat(step: KillStep, scene: Scene): Promise<{ answer: unknown; locks: number }> {
  const environment = environmentOf(scene.yard);
  for (let locks = 0; ; locks += 1) {
    try {
      return { answer: await step.act(mortalGit(environment).git, scene), locks };
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

/** One main, at a commit that was to be there; each repository whole; each commit of the worker kept by a ref. */
async function expectNothingLost({ yard, head, base, commit }: Scene): Promise<void> {
  const { source, repo } = yard;
  const main = await yard.sh(source, 'rev-parse', 'refs/heads/main');
  if (main !== base && main !== commit) throw new Error(`the default branch is at ${main}`);
  const depot = depotOf(placeIn(yard));
  for (const place of [source, repo, ...(existsSync(depot) ? [depot] : [])]) await expectWhole(yard, place);
  const keepers = await yard.sh(repo, 'for-each-ref', `--contains=${head}`, '--format=%(refname)');
  if (keepers === '') throw new Error(`no ref keeps the work at ${head}`);
}
