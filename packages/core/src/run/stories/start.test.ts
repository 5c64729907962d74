import { describe, expect, test } from 'vitest';
import { flowNotFound, hasCommands, startFlow } from '../start.ts';
import { CHANGE, flowOf, SPLIT, study } from './teller.ts';

const NOTHING = { inputs: { goal: 'Do it' }, workers: null, times: null };

describe('the start of a run', () => {
  test('given wishes for workers and times, when they are in bounds, then they take the place of the numbers of the flow', () => {
    const outcome = startFlow(flowOf(study(3)), { ...NOTHING, workers: 2, times: 5 });
    expect(outcome).toMatchObject({
      kind: 'ready',
      flow: { budget: { workers: 2 }, stages: [{ over: { times: 5 } }, {}] },
    });
  });

  test.each([
    ['no goal', { inputs: {} }, 'The flow needs goal: --set goal="…".'],
    ['an unknown input', { inputs: { goal: 'x', gaol: 'y' } }, 'The flow has no input gaol; did you mean goal?'],
    ['too many workers', { workers: 99 }, '--workers: expected a whole number from 1 to 20, got 99.'],
    ['times for a flow without any', { times: 3 }, '--times: no stage of this flow is done several times.'],
  ])('given %s, when the run starts, then it is refused', (_what, wishes, problem) => {
    const outcome = startFlow(flowOf(CHANGE), { ...NOTHING, ...wishes });
    expect(outcome).toEqual({ kind: 'invalid', problems: [problem] });
  });

  test('given a name that no flow has, when it is asked for, then the error names the nearest', () => {
    expect(flowNotFound('splti', ['change', 'split'])).toEqual({
      code: 'WORKFLOW_NOT_FOUND',
      message: 'There is no flow "splti": the nearest is "split".',
    });
  });

  test('given commands of its own, when a flow is looked at, then it is told from one that runs the checks of the project', () => {
    expect([hasCommands(flowOf(CHANGE)), hasCommands(flowOf(SPLIT))]).toEqual([false, true]);
  });
});
