/** Kills steps from a commit to the default branch of the source: each step of an accept, and what comes before it. */
import {
  LANDING,
  bringBase,
  makeCandidate,
  offer,
  prepareForTask,
  prove,
  publish,
  recycle,
  validate,
  withLanding,
} from '../../../src/index.ts';
import { placeIn, workAt } from '../../depot/support.ts';
import { BRANCH, NOW, placeOf, rebaseIn, WORKER } from '../../support.ts';
import { Killed, mortalGit } from '../killing.ts';
import { candidateOf, environmentOf, expectFresh, expectInMain, expectMainAtBase, expectText } from './scene.ts';
import { type KillStep, type Work, makeMade, makeWork } from './scene.ts';

/** Main has moved, and the process died before the files of the source followed. */
async function makeHalfPublished(): Promise<Work> {
  const work = await makeMade();
  await publishInPart(work, placeIn(work.yard), work.base);
  return work;
}

/** Publishes as far as main moves. */
export async function publishInPart(
  { yard, commit }: Pick<Work, 'yard' | 'commit'>,
  place: ReturnType<typeof placeIn>,
  base: string,
): Promise<void> {
  const environment = environmentOf(yard);
  for (let call = 0; ; call += 1) {
    const { git } = mortalGit(environment, { call, afterMs: Infinity, part: 1 });
    try {
      await publish(git, place, { worker: WORKER, base, commit });
      throw new Error('the files followed before it died');
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
    if ((await yard.sh(yard.source, 'rev-parse', 'main')) === commit) return;
  }
}

/** Work that clashes with main. */
async function makeClashing(): Promise<Work> {
  const work = await makeWork();
  const base = await work.yard.commit(work.yard.source, { 'a.txt': 'another\n' }, 'a clash');
  return { ...work, base, commit: base };
}

/** Steps by name, as people know them. */
export const MERGE_STEPS: Readonly<Record<string, KillStep>> = {
  prepare: {
    async make() {
      const scene = await makeWork();
      const { yard, base } = scene;
      const { worktree, source, archive, depot } = yard;
      await yard.write(worktree, { 'a.txt': 'half\n', 'notes.md': 'n' });
      return {
        scene,
        async act(git) {
          const options = { copyFiles: [], commits: 'set-aside', id: 't1', now: NOW } as const;
          const newest = await bringBase(git, depot);
          const task = { worktree, archive, source, worker: WORKER, branch: BRANCH, base: newest, ...options };
          return (await prepareForTask(git, task)).kind;
        },
        async judge() {
          await expectFresh(yard, { at: worktree, branch: BRANCH, commit: base });
          const saved = 'refs/drover/checkpoints/alba/t1';
          const show = (what: string): Promise<string> => yard.sh(archive, 'show', what);
          await expectText('a new file', { found: show(`${saved}:notes.md`), wanted: 'n' });
          await expectText('a changed file', { found: show(`${saved}:a.txt`), wanted: 'half' });
          await expectText('the commits', { found: show(`${saved}-commits0:w.txt`), wanted: 'ww' });
        },
      };
    },
  },
  candidate: {
    async make() {
      const scene = await makeWork();
      const { yard, head } = scene;
      return {
        scene,
        act: (git) => makeCandidate(git, placeIn(yard), workAt(yard, head)),
        judge: () => expectMainAtBase(scene),
      };
    },
  },
  validate: {
    async make() {
      const scene = await makeMade();
      const { yard, commit } = scene;
      return {
        scene,
        async act(git) {
          const setUp = { key: 'k', run: (at: string) => git.files.writeFile(`${at}/set-up.secret`, 'done') };
          const commands = ['test "$(cat w.txt)" = ww && test -f main.txt && test -f set-up.secret && ! test -e b.txt'];
          const act = (worktree: string): ReturnType<typeof validate> => validate(git, { worktree, commands });
          // Expects others of the project to go on in the depot, whatever a death left of the landing worktree.
          await candidateOf(git, scene);
          return withLanding(git, placeIn(yard), { name: LANDING, commit, archive: yard.archive, setUp, act });
        },
        judge: () => expectMainAtBase(scene),
      };
    },
  },
  'rebase of a clash': {
    async make() {
      const scene = await makeClashing();
      const { yard } = scene;
      const { worktree } = yard;
      return {
        scene,
        act: (git) => rebaseIn(yard, { git }),
        async judge() {
          await expectMainAtBase(scene);
          const found = yard.sh(worktree, 'diff', '--name-only', '--diff-filter=U');
          await expectText('the files that clash', { found, wanted: 'a.txt' });
        },
      };
    },
  },
  publish: {
    async make() {
      const scene = await makeMade();
      const { yard, base, commit } = scene;
      return {
        scene,
        // Ignores what became of the files, which depends on how far it came before; `judge` tests that they are there.
        act: async (git) => (await publish(git, placeIn(yard), { worker: WORKER, base, commit })).kind,
        judge: () => expectInMain(scene),
      };
    },
  },
  settle: {
    async make() {
      const scene = await makeHalfPublished();
      const { yard, head } = scene;
      return {
        scene,
        act: (git) => makeCandidate(git, placeIn(yard), workAt(yard, head)),
        judge: () => expectInMain(scene),
      };
    },
  },
  'hand over as a branch': {
    async make() {
      const made = await makeMade();
      const { yard, head, base, commit } = made;
      const scene = { ...made, commit: base };
      return {
        scene,
        act: (git) => offer(git, placeIn(yard), { worker: WORKER, task: 't1', head, base, commit }),
        async judge() {
          await expectMainAtBase(scene);
          const found = yard.sh(yard.source, 'rev-parse', 'drover/alba-t1');
          await expectText('the branch', { found, wanted: commit });
        },
      };
    },
  },
  'prove and recycle': {
    async make() {
      const scene = await makeMade();
      const { yard, head, base, commit } = scene;
      const { worktree } = yard;
      await publish(yard.git, placeIn(yard), { worker: WORKER, base, commit });
      return {
        scene,
        async act(git) {
          const proof = await prove(git, placeIn(yard), commit);
          const place = await placeOf(yard, WORKER, git);
          return { proof, recycled: (await recycle(git, { place, head, commit, now: NOW })).kind };
        },
        async judge() {
          await expectInMain(scene);
          await expectFresh(yard, { at: worktree, branch: BRANCH, commit });
        },
      };
    },
  },
};
