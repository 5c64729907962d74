/** Every step of the way from a commit to the default branch, and between machines: what it starts from, does, and must come to. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Git,
  LANDING,
  makeCandidate,
  offer,
  pack,
  prepareForTask,
  prove,
  publish,
  recycle,
  unpack,
  validate,
  withLanding,
} from '../../src/index.ts';
import { placeIn, workAt } from '../depot/support.ts';
import { BRANCH, NOW, WORKER, type Yard, makeYard } from '../support.ts';
import { Killed, mortalGit } from './killing.ts';

/** Where a step begins. `head` is the work; `made` its candidate, where that is made before. */
export interface Scene {
  readonly yard: Yard;
  readonly head: string;
  readonly base: string;
  readonly commit: string;
  /** For parcels: a file that holds the work, with its digest. */
  readonly parcel: { readonly path: string; readonly sha256: string } | null;
}

/** One step. Both what it answers and what it leaves are the same, however often it was cut off before. */
export interface KillStep {
  make(): Promise<Scene>;
  /** @returns what must be equal each time. */
  act(git: Git, scene: Scene): Promise<unknown>;
  /** @throws when what the step was for is not there. */
  judge(scene: Scene): Promise<void>;
}

/** Two commits of a worker, and a newer main. Files are changed, made, removed and renamed. */
async function makeWork(): Promise<Scene> {
  const yard = await makeYard();
  await yard.commit(yard.worktree, { 'w.txt': 'w\n', 'b.txt': undefined, 'dir/deep/c.txt': 'c\n' }, 'the work');
  const head = await yard.commit(yard.worktree, { 'w.txt': 'ww\n', 'a.txt': 'one\ntwo\nthree\nfour\n' }, 'more of it');
  const base = await yard.commit(yard.source, { 'main.txt': 'm\n' }, 'meanwhile');
  return { yard, head, base, commit: '', parcel: null };
}

async function makeMade(): Promise<Scene> {
  const scene = await makeWork();
  return { ...scene, commit: await candidateOf(scene.yard.git, scene) };
}

async function candidateOf(git: Git, { yard, head }: Scene): Promise<string> {
  const made = await makeCandidate(git, placeIn(yard), workAt(yard, head));
  if (made.kind !== 'candidate') throw new Error(made.kind);
  return made.commit;
}

async function makePublished(): Promise<Scene> {
  const scene = await makeMade();
  await publish(scene.yard.git, placeIn(scene.yard), { worker: WORKER, ...scene });
  return scene;
}

/** Longer than any call: it is over by then, and its answer is lost. */
const NEVER_MS = 10 ** 9;

/** Main has moved, and the process died before the files of the source followed. */
async function makeHalfPublished(): Promise<Scene> {
  const scene = await makeMade();
  const { yard } = scene;
  const environment = environmentOf(yard);
  for (let call = 0; ; call += 1) {
    const { git } = mortalGit(environment, { call, afterMs: NEVER_MS });
    try {
      await publish(git, placeIn(yard), { worker: WORKER, ...scene });
      throw new Error('the files followed before it died');
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
    if ((await yard.sh(yard.source, 'rev-parse', 'main')) === scene.commit) return scene;
  }
}

async function makePacked(): Promise<Scene> {
  const scene = await makeWork();
  const packed = await packWork(scene.yard.git, scene);
  if (packed.kind !== 'packed') throw new Error(packed.kind);
  return { ...scene, parcel: packed };
}

function packWork(git: Git, { yard, head }: Scene): ReturnType<typeof pack> {
  const refs = [{ name: 'work', commit: head }];
  const request = { repo: yard.repo, refs, not: [], spool: join(yard.dir, 'spool'), id: 'p1', maxBytes: 1e9 };
  return pack(git, request, sha256Of);
}

async function sha256Of(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

/** The environment in which the gits of a yard run. */
export function environmentOf({ dir }: Yard): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: join(dir, 'home'), GIT_CONFIG_NOSYSTEM: '1' };
}

async function expectText(what: string, { found, wanted }: { found: Promise<string>; wanted: string }): Promise<void> {
  const text = await found;
  if (text !== wanted) throw new Error(`${what}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(text)}`);
}

/** Main has the work once, its files are there, and nothing of the person's is changed. */
async function expectInMain({ yard }: Scene): Promise<void> {
  const { source } = yard;
  const log = yard.sh(source, 'log', '--format=%s', 'main');
  await expectText('the default branch', { found: log, wanted: 'the work\nmeanwhile\nfirst' });
  await expectText('files of the source', { found: yard.sh(source, 'status', '--porcelain'), wanted: '' });
  const refs = yard.sh(source, 'for-each-ref', '--format=%(refname)');
  await expectText('refs of the source', { found: refs, wanted: 'refs/heads/main' });
}

async function expectMainAtBase({ yard, base }: Scene): Promise<void> {
  await expectText('the default branch', { found: yard.sh(yard.source, 'rev-parse', 'main'), wanted: base });
}

/** By name, as people know them. */
export const KILL_STEPS: Readonly<Record<string, KillStep>> = {
  candidate: {
    make: makeWork,
    act: (git, { yard, head }) => makeCandidate(git, placeIn(yard), workAt(yard, head)),
    judge: expectMainAtBase,
  },
  validate: {
    make: makeMade,
    async act(git, scene) {
      const { yard, commit } = scene;
      const setUp = { key: 'k', run: (at: string) => git.files.writeFile(`${at}/set-up.secret`, 'done') };
      const commands = ['test "$(cat w.txt)" = ww && test -f main.txt && test -f set-up.secret && ! test -e b.txt'];
      const act = (worktree: string): ReturnType<typeof validate> => validate(git, { worktree, commands });
      // Whatever a death left of the landing worktree, others of the project go on in the depot.
      await candidateOf(git, scene);
      return withLanding(git, placeIn(yard), { name: LANDING, commit, clone: yard.repo, setUp, act });
    },
    judge: expectMainAtBase,
  },
  publish: {
    make: makeMade,
    // What became of the files depends on how far it came before; that they are there is judged.
    act: async (git, scene) => (await publish(git, placeIn(scene.yard), { worker: WORKER, ...scene })).kind,
    judge: expectInMain,
  },
  settle: {
    make: makeHalfPublished,
    act: (git, { yard, head }) => makeCandidate(git, placeIn(yard), workAt(yard, head)),
    judge: expectInMain,
  },
  'hand over as a branch': {
    make: makeMade,
    act: (git, scene) => offer(git, placeIn(scene.yard), { worker: WORKER, task: 't1', ...scene }),
    async judge(scene) {
      await expectMainAtBase(scene);
      const { yard, commit } = scene;
      const found = yard.sh(yard.source, 'rev-parse', 'drover/alba-t1');
      await expectText('the branch', { found, wanted: commit });
    },
  },
  'prove and recycle': {
    make: makePublished,
    async act(git, { yard, head, commit }) {
      const { repo, worktree } = yard;
      const proof = await prove(git, placeIn(yard), commit);
      const request = { repo, worktree, worker: WORKER, defaultBranch: 'main', head, commit, now: NOW };
      return { proof, recycled: (await recycle(git, request)).kind };
    },
    async judge(scene) {
      await expectInMain(scene);
      const { yard, commit } = scene;
      const status = yard.sh(yard.worktree, 'status', '--porcelain=v2', '--branch');
      const wanted = `# branch.oid ${commit}\n# branch.head ${BRANCH}`;
      await expectText('the worktree', { found: status, wanted });
    },
  },
  pack: {
    make: makeWork,
    act: async (git, scene) => (await packWork(git, scene)).kind,
    judge: expectMainAtBase,
  },
  unpack: {
    make: makePacked,
    async act(git, { yard, head, parcel }) {
      if (parcel === null) throw new Error('no parcel');
      const refs = [{ name: 'work', commit: head, into: 'refs/drover/checkpoints/alba/carried' }];
      const spool = join(yard.dir, 'inbox');
      const { path: file, sha256 } = parcel;
      return unpack(git, { repo: yard.source, file, sha256, refs, spool, id: 'u1' }, sha256Of);
    },
    async judge(scene) {
      await expectMainAtBase(scene);
      const { yard, head } = scene;
      const found = yard.sh(yard.source, 'rev-parse', 'refs/drover/checkpoints/alba/carried');
      await expectText('what was carried', { found, wanted: head });
    },
  },
  prepare: {
    async make() {
      const scene = await makeWork();
      await scene.yard.write(scene.yard.worktree, { 'a.txt': 'half\n', 'notes.md': 'n' });
      return scene;
    },
    async act(git, { yard }) {
      const { worktree, source } = yard;
      const options = { copyFiles: [], commits: 'set-aside', id: 't1', now: NOW } as const;
      const task = { worktree, source, worker: WORKER, branch: BRANCH, defaultBranch: 'main', ...options };
      return (await prepareForTask(git, task)).kind;
    },
    async judge({ yard, base }) {
      const status = yard.sh(yard.worktree, 'status', '--porcelain=v2', '--branch');
      await expectText('the worktree', { found: status, wanted: `# branch.oid ${base}\n# branch.head ${BRANCH}` });
      const saved = 'refs/drover/checkpoints/alba/t1';
      await expectText('a new file', { found: yard.sh(yard.repo, 'show', `${saved}:notes.md`), wanted: 'n' });
      await expectText('a changed file', { found: yard.sh(yard.repo, 'show', `${saved}:a.txt`), wanted: 'half' });
      await expectText('the commits', {
        found: yard.sh(yard.repo, 'show', `${saved}-commits0:w.txt`),
        wanted: 'ww',
      });
    },
  },
};
