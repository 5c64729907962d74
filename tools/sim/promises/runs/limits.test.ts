// Checks that a try spent by a limit is seen, and that one spent by a missing program is not taken for it.
import { newRun } from '@drover/core';
import type { Item, Run, RunEvent } from '@drover/core';
import { MemoryDatabase, runRow } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { Tally } from '../../runs/tally.ts';
import { LimitChecks } from './limits.ts';

test.each([
  ['AGENT_CRASHED', 'a limit spent a try of build'],
  ['AGENT_CLI_NOT_FOUND', null],
])(
  'given an attempt that a limit cut, when it ends with %s and a try is spent, then the promise is judged: %s',
  (code, said) => {
    const [database, tally] = [new MemoryDatabase(), new Tally(() => 0, { keepLines: false })];
    const checks = new LimitChecks(database, tally);
    const row = runRow({ projectId: 'p', machineId: 'm' });
    const run = newRun(row.state.terms);
    database.runs.set(row.id, row);
    const event: RunEvent = {
      kind: 'task-ended',
      item: 'build',
      attempt: 1,
      workerId: 'w1',
      end: { kind: 'failed', code, commit: null, problem: '' },
    };

    checks.took({
      workerId: 'w1',
      owed: { runId: row.id, item: 'build', attempt: 1, returns: 'commit' },
      text: '',
      dryUntil: 9,
    });
    const after = { ...row, state: withTries(run, 1) };
    checks.checkDecision({ before: withTries(run, 0), row: after, event: { kind: event.kind, event } as never });

    if (said === null) expect(tally.violation).toBeNull();
    else expect(tally.violation).toContain(said);
  },
);

/** A run with one item, on its first attempt. */
function withTries(run: Run, triesSpent: number): Run {
  const item = { name: 'build', attempt: 1, triesSpent } as Item;
  return { ...run, stages: [{ ...run.stages[0], items: [item] } as Run['stages'][number]] };
}
