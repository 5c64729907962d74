/** Sets up the scenes of killed steps of the git flow, and judges what more than one of them shares. */
import { join } from 'node:path';
import { type DepotPlace, type Git, makeCandidate } from '../../../src/index.ts';
import { placeIn, workAt } from '../../depot/support.ts';
import { type Yard, makeYard } from '../../support.ts';

/** Scene where a step begins. */
export interface Scene {
  readonly yard: Yard;
  /** Repository of main, of which there is one. */
  readonly main: string;
  /** Work that a ref of the clone keeps at all times. */
  readonly heads: readonly string[];
  /** Commit of main before the step, beside `commit` after it; main may be at no other, also not on the way. */
  readonly base: string;
  readonly commit: string;
  /** Repositories beside main that stay whole, where they are there yet. */
  readonly others: readonly string[];
}

/** A step that can be done. Both what it answers and what it leaves are the same, however often it was cut off before. */
export interface Begun {
  readonly scene: Scene;
  /** @returns what must be equal each time. */
  act(git: Git): Promise<unknown>;
  /** @throws when what the step was for is not there. */
  judge(): Promise<void>;
}

/** Step, by what people call it. */
export interface KillStep {
  make(): Promise<Begun>;
}

/** Work of one worker: its commit. */
export interface Work extends Scene {
  readonly head: string;
}

/** Makes two commits of a worker, and a newer main. Files are changed, made, removed and renamed. */
export async function makeWork(): Promise<Work> {
  const yard = await makeYard();
  await yard.commit(yard.worktree, { 'w.txt': 'w\n', 'b.txt': undefined, 'dir/deep/c.txt': 'c\n' }, 'the work');
  const head = await yard.commit(yard.worktree, { 'w.txt': 'ww\n', 'a.txt': 'one\ntwo\nthree\nfour\n' }, 'more of it');
  const base = await yard.commit(yard.source, { 'main.txt': 'm\n' }, 'meanwhile');
  return { yard, main: yard.source, head, heads: [head], base, commit: base, others: [] };
}

/** The work with its candidate. */
export async function makeMade(place?: (work: Work) => DepotPlace): Promise<Work> {
  const work = await makeWork();
  return { ...work, commit: await candidateOf(work.yard.git, work, place?.(work)) };
}

/** The commit of the work's candidate. */
export async function candidateOf(git: Git, { yard, head }: Work, place = placeIn(yard)): Promise<string> {
  const made = await makeCandidate(git, place, workAt(yard, head));
  if (made.kind !== 'candidate') throw new Error(made.kind);
  return made.commit;
}

/** The environment in which the gits of a yard run. */
export function environmentOf({ dir }: Yard): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: join(dir, 'home'), GIT_CONFIG_NOSYSTEM: '1' };
}

/** @throws when a text is another. */
export async function expectText(
  what: string,
  { found, wanted }: { found: Promise<string>; wanted: string },
): Promise<void> {
  const text = await found;
  if (text !== wanted) throw new Error(`${what}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(text)}`);
}

/** Main has the work once, its files are there, and nothing of the person's is changed. `log`: subjects, the newest first. */
export async function expectInMain(
  { yard }: Scene,
  log: readonly string[] = ['the work', 'meanwhile', 'first'],
): Promise<void> {
  const { source } = yard;
  const found = yard.sh(source, 'log', '--format=%s', 'main');
  await expectText('the default branch', { found, wanted: log.join('\n') });
  await expectText('files of the source', { found: yard.sh(source, 'status', '--porcelain'), wanted: '' });
  const refs = yard.sh(source, 'for-each-ref', '--format=%(refname)');
  await expectText('refs of the source', { found: refs, wanted: 'refs/heads/main' });
}

/** @throws when main has moved. */
export async function expectMainAtBase({ yard, main, base }: Scene): Promise<void> {
  await expectText('the default branch', { found: yard.sh(main, 'rev-parse', 'main'), wanted: base });
}

/** A worktree is fresh: at this commit, with nothing changed. */
export async function expectFresh(
  { sh }: Yard,
  { at, branch, commit }: { at: string; branch: string; commit: string },
): Promise<void> {
  const found = sh(at, 'status', '--porcelain=v2', '--branch');
  await expectText('the worktree', { found, wanted: `# branch.oid ${commit}\n# branch.head ${branch}` });
}
