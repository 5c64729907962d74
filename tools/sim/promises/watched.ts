// A checker to which tests tell what no schedule should have.
import { DEFAULT_POLICY, newWorker } from '@drover/core';
import type { Worker } from '@drover/core';
import type { WorkerRow } from '@drover/store';
import { MemoryDatabase, workerOptions } from '@drover/store/testing';
import { expect } from 'vitest';
import { DEFAULTS } from '../coordinator/replica.ts';
import { Tally } from '../runs/tally.ts';
import { Checker } from './checker.ts';

/**
 * The checks have passed on the files "checked". `clock`: the time that the checks are told.
 *
 * @param isExact False: as over a real server, which shows some commits at once.
 */
export function watched(isExact = true) {
  const clock = { now: 0 };
  const database = new MemoryDatabase(() => clock.now);
  const tally = new Tally(() => 0, { keepLines: false });
  const repository = {
    worksShown: (head: string) => [head],
    namesLost: (works: readonly string[]) => works.includes('hollow'),
    isIn: () => false,
    treeOf: (head: string) => head,
    worksElsewhere: () => new Set<string>(),
    mergedOrDropped: () => new Set(['work-1']),
    contains: (commit: string) => commit !== 'lost',
    projectOf: () => null,
    isPinned: () => true,
    worksBeyond: () => [],
  };
  const now = (): number => clock.now;
  const parts = { database, tally, policy: DEFAULT_POLICY, repository, now, isExact, defaults: DEFAULTS };
  const checker = new Checker(parts);
  checker.checked({ isPassed: true, tree: 'checked', before: null, worker: undefined });
  return { ...parts, clock, checker };
}

export type Watched = ReturnType<typeof watched>;

/** Step of a test: something that the checks are told. */
export type Told = (parts: Watched) => void;

/** Tells the checks each step. @param said Words of the promise that the last step breaks; null: all keep every promise. */
export function expectJudged(steps: readonly Told[], said: string | null, parts = watched()): void {
  for (const [index, step] of steps.entries()) {
    step(parts);
    const isLast = index === steps.length - 1;
    expect(parts.tally.violation).toEqual(said === null || !isLast ? null : expect.stringContaining(said));
  }
}

/** A worker `w` that has just been added, but for these fields. */
export function rowOf(state: Partial<Worker> = {}, row: Partial<WorkerRow> = {}): WorkerRow {
  const ids = { id: 'w', projectId: 'p', machineId: 'm', name: 'w' };
  const times = { version: 1, createdAt: 0, updatedAt: 0 };
  return { ...ids, ...times, options: workerOptions(), state: { ...newWorker(), ...state }, ...row };
}
