/** Members of a train: work of this machine, and of others that can send it and have the same main. */
import { randomUUID } from 'node:crypto';
import { newWorker } from '@drover/core';
import type { MergeStep, Queue } from '@drover/core';
import type { Machine, MachinePlaces, Project, WorkerRow } from '@drover/store';
import { workerOptions } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { mergeFacts } from '../../src/loop/merge-facts.ts';
import { twoMachines } from '../support/two-machines.ts';

const AT_HOME: MachinePlaces = { workspace: '/w', roots: { p: '/srv/p' } };
const ELSEWHERE: MachinePlaces = { workspace: '/w', roots: {} };

interface Fleet {
  readonly source?: string;
  readonly home?: string | null;
  readonly publish?: 'branch';
  /** Places that the two machines report. */
  readonly places?: readonly [MachinePlaces, MachinePlaces];
  /** Tells whether the other machine has been silent for ten minutes. */
  readonly isSilent?: boolean;
  readonly profile?: string;
}

/** Reads the queue: "ann" takes her turn on one machine; "ben" waits on the same, "eva" on another. */
async function queueOf(fleet: Fleet): Promise<Queue | undefined> {
  const two = await twoMachines();
  const { ctx, database } = two;
  const [atHome, elsewhere] = fleet.places ?? [AT_HOME, ELSEWHERE];
  const here = await two.hello(two.honest, atHome);
  const there = await two.hello(two.liar, elsewhere);
  const [known] = await ctx.store.listProjects();
  if (known === undefined) throw new Error('There is no project');
  const { source = known.source, home = null, publish } = fleet;
  const config = { ...known.config, home, ...(publish === undefined ? {} : { publish }) };
  const project: Project = { ...known, source, config, mergeWorkerId: null };
  database.workers.clear();
  let since = 100;
  const waiting = (machine: Machine, name: string): WorkerRow => {
    const fresh = newWorker();
    const pin = { head: name.padEnd(40, '0'), tree: null };
    const accept = { pin, nothing: false, since: (since += 1), runs: [], red: null, maybe: null };
    const step: MergeStep = { kind: 'waiting', accept, notBefore: null };
    const state = {
      ...fresh,
      lifecycle: { ...fresh.lifecycle, status: 'needs_review', wanted: 'up' },
      merge: { ...fresh.merge, step },
    } as const;
    const options = workerOptions(name === 'eva' && fleet.profile !== undefined ? { profile: fleet.profile } : {});
    const row = { id: randomUUID(), projectId: known.id, machineId: machine.id, name, options };
    const whole: WorkerRow = { ...row, state, version: 1, createdAt: 1, updatedAt: 1 };
    database.workers.set(whole.id, whole);
    return whole;
  };
  const ann = waiting(here, 'ann');
  waiting(here, 'ben');
  waiting(there, 'eva');
  const found = database.machines.get(there.id);
  if (fleet.isSilent === true && found !== undefined)
    database.machines.set(there.id, { ...found, lastSeenAt: ctx.clock.now() - 600_000 });
  const asked = { row: ann, project, machine: here, names: ['queue'] } as const;
  const facts = await ctx.store.transaction((tx) => mergeFacts(ctx, tx, asked));
  return facts.queue;
}

function named(queue: Queue | undefined): readonly string[] {
  return (queue?.members ?? []).map(({ name, elsewhere = false }) => `${name}${elsewhere ? ' elsewhere' : ''}`);
}

test.each<[string, Fleet]>([
  ['a repository on one of them', {}],
  ['an address', { source: 'https://example.com/p.git', places: [ELSEWHERE, ELSEWHERE] }],
  ['two repositories of which one is named', { home: 'honest', places: [AT_HOME, AT_HOME] }],
])('given two machines and %s, when one takes its turn, then work of both comes along', async (_, fleet) => {
  expect(named(await queueOf(fleet))).toEqual(['ben', 'eva elsewhere']);
});

test.each<[string, Fleet]>([
  ['both have a repository, and none is named', { places: [AT_HOME, AT_HOME] }],
  ['the other machine is silent', { isSilent: true }],
  ['its agent is of another profile', { profile: 'codex' }],
])('given that %s, when one takes its turn, then work of the other machine waits', async (_, fleet) => {
  expect(named(await queueOf(fleet))).toEqual(['ben']);
});

test('given a project that hands branches over, when one takes its turn, then nothing comes along', async () => {
  expect(named(await queueOf({ publish: 'branch' }))).toEqual([]);
});
