/** Main is not on this machine: in a repository that is reached by its address, or on another machine, by parcels. */
import { join } from 'node:path';
import { type DepotPlace, type Git, depotOf, makeCandidate, prove, publish } from '../../../src/index.ts';
import { placeAtHome } from '../../depot/home-port.ts';
import { workAt } from '../../depot/support.ts';
import { WORKER, type Yard } from '../../support.ts';
import { type KillStep, type Work, expectInMain, expectMainAtBase, expectText, makeWork } from './scene.ts';
import { candidateOf } from './scene.ts';

const REMOTE = 'remote.git';

function remoteIn({ dir }: Yard): DepotPlace {
  const url = `file://${join(dir, REMOTE)}`;
  return { directory: join(dir, 'depot'), target: { kind: 'remote', url, defaultBranch: 'main' } };
}

async function makeRemote(): Promise<Work> {
  const work = await makeWork();
  const { yard } = work;
  const main = join(yard.dir, REMOTE);
  await yard.sh(yard.dir, 'clone', '-q', '--bare', yard.source, main);
  return { ...work, main };
}

/** Place at the home; both machines die together. */
function homeIn(yard: Yard, git: Git): DepotPlace {
  return placeAtHome(yard, () => git);
}

async function makeAtHome(): Promise<Work> {
  const work = await makeWork();
  return { ...work, others: [join(work.yard.dir, 'home-depot/depot.git')] };
}

/** Steps by name, as people know them. */
export const ELSEWHERE_STEPS: Readonly<Record<string, KillStep>> = {
  'remote: candidate': {
    async make() {
      const scene = await makeRemote();
      const { yard, head } = scene;
      return {
        scene,
        act: (git) => makeCandidate(git, remoteIn(yard), workAt(yard, head)),
        judge: () => expectMainAtBase(scene),
      };
    },
  },
  'remote: publish and prove': {
    async make() {
      const work = await makeRemote();
      const { yard, base, main } = work;
      const commit = await candidateOf(yard.git, work, remoteIn(yard));
      return {
        scene: { ...work, commit },
        async act(git) {
          const published = await publish(git, remoteIn(yard), { worker: WORKER, base, commit });
          return { published, proof: await prove(git, remoteIn(yard), commit) };
        },
        async judge() {
          const found = yard.sh(main, 'for-each-ref', '--format=%(refname) %(objectname)');
          await expectText('the remote', { found, wanted: `refs/heads/main ${commit}` });
        },
      };
    },
  },
  'home: candidate': {
    async make() {
      const scene = await makeAtHome();
      const { yard, head } = scene;
      return {
        scene,
        act: (git) => makeCandidate(git, homeIn(yard, git), workAt(yard, head)),
        judge: () => expectMainAtBase(scene),
      };
    },
  },
  'home: publish and prove': {
    async make() {
      const work = await makeAtHome();
      const { yard, base } = work;
      const commit = await candidateOf(yard.git, work, homeIn(yard, yard.git));
      const scene = { ...work, commit };
      return {
        scene,
        async act(git) {
          const { kind } = await publish(git, homeIn(yard, git), { worker: WORKER, base, commit });
          return { kind, proof: await prove(git, homeIn(yard, git), commit) };
        },
        async judge() {
          await expectInMain(scene);
          for (const at of [depotOf(homeIn(yard, yard.git)), join(yard.dir, 'home-depot/depot.git')]) {
            const found = yard.sh(at, 'for-each-ref', 'refs/drover/carried');
            await expectText('what came', { found, wanted: '' });
          }
        },
      };
    },
  },
};
