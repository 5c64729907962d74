// Checks that imports inside core go one way, that only a slice's own file writes it, and that only the loop writes rows of workers.
import { newWorker } from '@drover/core';
import { expect, test } from 'vitest';
import { parseSource } from '../source/source.ts';
import { layerProblems, rowProblems, sliceProblems, SLICES } from './slices.ts';

test('given a new worker, when its fields are listed, then they are the slices and the deadlines', () => {
  expect(Object.keys(newWorker())).toEqual([...SLICES, 'deadlines']);
});

test.each([
  ['recovery/ladder.ts', '../events/exit.ts'],
  ['worker/turn.ts', '../decision/step.ts'],
  ['next/command.ts', '../requests/task.ts'],
  ['policy/policy.ts', '../worker/turn.ts'],
  ['merge/state.ts', './commands.ts'],
  ['merge/commands.ts', './accept.ts'],
])('given %s that imports %s, when it is checked, then that is a problem', (file, module) => {
  const source = parseSource(`packages/core/src/${file}`, `import { a } from '${module}';`);

  expect(layerProblems(source)).toHaveLength(1);
});

test.each([
  ['events/exit.ts', 'set(step, { turn: { ...turn, judgeDue: true } })', 1],
  ['events/exit.ts', 'set(step, { turn: endTurn(turn) })', 0],
  ['worker/turn.ts', 'set(step, { turn: { ...turn, judgeDue: true } })', 0],
  ['merge/accept.ts', 'set(step, { merge: { ...merge, accept: null } })', 1],
  ['merge/state.ts', 'set(step, { merge: { ...merge, accept: null } })', 0],
])('given %s with %s, when it is checked, then there are %i problems', (file, code, problems) => {
  expect(sliceProblems(parseSource(`packages/core/src/${file}`, code))).toHaveLength(problems);
});

test.each([
  ['use-cases/workers/add.ts', 'await tx.insertWorker(row)', 1],
  ['use-cases/workers/add.ts', 'await tx.lockWorker(row.id)', 0],
  ['loop/begin-worker.ts', 'await tx.insertWorker(row)', 0],
])('given %s with %s, when its writes are checked, then there are %i problems', (file, code, problems) => {
  expect(rowProblems(parseSource(`apps/coordinator/src/${file}`, code))).toHaveLength(problems);
});
