// A checker to which tests tell what no schedule should have.
import { DEFAULT_POLICY } from '@drover/core';
import { MemoryDatabase } from '@drover/store/testing';
import { DEFAULTS } from '../coordinator/replica.ts';
import { Tally } from '../runs/tally.ts';
import { Checker } from './checker.ts';

/** The checks have passed on the files "checked". */
export function watched(): { checker: Checker; database: MemoryDatabase; tally: Tally } {
  const database = new MemoryDatabase();
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
  const checker = new Checker({
    database,
    tally,
    policy: DEFAULT_POLICY,
    repository,
    now: () => 0,
    isExact: true,
    defaults: DEFAULTS,
  });
  checker.checked({ isPassed: true, tree: 'checked', before: null, worker: undefined });
  return { database, tally, checker };
}
