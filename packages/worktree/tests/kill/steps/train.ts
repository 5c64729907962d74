/** A merge train: three works are built on one another, and all of them are published, or none. */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  depotOf,
  extendChain,
  makeCandidate,
  pack,
  type ParcelFile,
  prove,
  publish,
  recycle,
  takeGuest,
} from '../../../src/index.ts';
import { placeIn, workAt } from '../../depot/support.ts';
import { addWorker, placeOf, BRANCH, NOW, WORKER, type Yard, sha256Of } from '../../support.ts';
import { publishInPart } from './merge.ts';
import { type KillStep, type Scene, expectFresh, expectInMain, expectMainAtBase, makeMade } from './scene.ts';

/** Work of the train: its worker and head, and the commit that it is in main. */
interface Member {
  readonly worker: string;
  readonly at: string;
  readonly branch: string;
  readonly head: string;
  readonly commit: string;
}

interface Train extends Scene {
  /** The conductor's candidate. */
  readonly first: string;
  readonly members: readonly Member[];
}

const LOG = ['the work of cal', 'the work of bea', 'the work', 'meanwhile', 'first'] as const;

/** Makes the conductor's candidate, and two workers that come along. */
async function makeTrain(): Promise<Train> {
  const made = await makeMade();
  const { yard, commit, head } = made;
  const members: Member[] = [{ worker: WORKER, at: yard.worktree, branch: BRANCH, head, commit }];
  for (const worker of ['bea', 'cal']) {
    const [at, branch] = [await addWorker(yard, worker), `drover/${worker}`];
    const files = { [`${worker}.txt`]: `of ${worker}\n`, [`both/${worker}`]: 'b\n' };
    members.push({ worker, at, branch, head: await yard.commit(at, files, `the work of ${worker}`), commit: '' });
  }
  return { ...made, first: commit, commit: made.base, heads: members.map((one) => one.head), members };
}

/** Builds all of the train. */
async function makeBuilt(): Promise<Train> {
  const train = await makeTrain();
  const { yard, first, members } = train;
  const { links } = await extendChain(yard.git, placeIn(yard), requestOf(train));
  const commits = [first, ...links.map(({ commit }) => commit)];
  const commit = commits.at(-1) ?? '';
  return { ...train, commit, members: members.map((one, index) => ({ ...one, commit: commits[index] ?? '' })) };
}

function requestOf({ yard, first, members }: Train): Parameters<typeof extendChain>[2] {
  const items = members.slice(1).map(({ worker, head }) => ({ worker, at: { head, tree: null } }));
  return { onto: first, root: yard.root, archive: yard.archive, items };
}

/** The work as it comes from another machine. */
async function packed({ git, dir }: Yard, repo: string, commit: string): Promise<ParcelFile> {
  const [spool, inbox] = [join(dir, 'outbox'), join(dir, 'inbox')];
  for (const at of [spool, inbox]) await mkdir(at, { recursive: true });
  const request = { repo, refs: [{ name: 'work', commit }], not: [], spool, id: 'p1', maxBytes: 1e9 };
  const found = await pack(git, request, sha256Of);
  if (found.kind !== 'packed') throw new Error(found.kind);
  return found;
}

/** Steps by name, as people know them. */
export const TRAIN_STEPS: Readonly<Record<string, KillStep>> = {
  'train: build': {
    async make() {
      const scene = await makeTrain();
      const { yard } = scene;
      return {
        scene,
        act: (git) => extendChain(git, placeIn(yard), requestOf(scene)),
        judge: () => expectMainAtBase(scene),
      };
    },
  },
  'train: take and build work of another machine': {
    async make() {
      const made = await makeTrain();
      const { yard, members } = made;
      const [, guest] = members;
      const { worker = '', head = '', at = '' } = guest ?? {};
      const saved = await packed(yard, at, head);
      const scene = { ...made, others: [depotOf(placeIn(yard))] };
      return {
        scene,
        async act(git) {
          // Sends the parcel again each time.
          const file = { ...saved, path: `${saved.path}.again` };
          await copyFile(saved.path, file.path);
          const spool = join(yard.dir, 'inbox');
          const arrived = { worker, commit: head, file, spool, id: 'u1', sha256Of };
          const taken = await takeGuest(git, placeIn(yard), arrived);
          const { items, ...request } = requestOf(scene);
          const guests = items.map((item) => (item.worker === worker ? { ...item, guest: { away: null } } : item));
          return [taken.kind, await extendChain(git, placeIn(yard), { ...request, items: guests })];
        },
        judge: () => expectMainAtBase(scene),
      };
    },
  },
  'train: publish': {
    async make() {
      const scene = await makeBuilt();
      const { yard, base, commit } = scene;
      return {
        scene,
        act: async (git) => (await publish(git, placeIn(yard), { worker: WORKER, base, commit })).kind,
        judge: () => expectInMain(scene, LOG),
      };
    },
  },
  'train: settle': {
    async make() {
      const scene = await makeBuilt();
      const { yard, base, members } = scene;
      await publishInPart(scene, placeIn(yard), base);
      const { head = '' } = members[0] ?? {};
      return {
        scene,
        act: (git) => makeCandidate(git, placeIn(yard), workAt(yard, head)),
        judge: () => expectInMain(scene, LOG),
      };
    },
  },
  'train: prove and recycle': {
    async make() {
      const scene = await makeBuilt();
      const { yard, base, commit, members } = scene;
      await publish(yard.git, placeIn(yard), { worker: WORKER, base, commit });
      return {
        scene,
        async act(git) {
          const ends: unknown[] = [];
          for (const { worker, head, commit: own } of members) {
            const proof = await prove(git, placeIn(yard), own);
            const place = await placeOf(yard, worker, git);
            ends.push([proof.kind, (await recycle(git, { place, head, commit: own, now: NOW })).kind]);
          }
          return ends;
        },
        async judge() {
          await expectInMain(scene, LOG);
          for (const { at, branch } of members) await expectFresh(yard, { at, branch, commit });
        },
      };
    },
  },
};
