/** Tells stories of runs that are tried again, for each way to ask for it. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../../policy/policy.ts';
import { failedWorkers, planRetry } from '../retry.ts';
import type { Run, RunTerms } from '../run.ts';
import { adoptableFrom } from '../steps/adopt.ts';
import { CHANGE, flowOf, PARTS, SPLIT, Teller } from './teller.ts';

/** A change whose author failed on two workers: nothing passed. */
function failedChange(): Teller {
  const story = new Teller(flowOf(CHANGE));
  for (let tries = 0; tries < 2; tries += 1)
    story.placed('build').ends('build', { kind: 'no-result', commit: null, problem: 'None.' });
  return story.frees();
}

/** A split that was stopped after its first part. */
function stoppedSplit(): Teller {
  const story = new Teller(flowOf(SPLIT)).placed('plan').does('plan', { parts: PARTS }).answers('start');
  return story
    .placed('build/1')
    .does('build/1')
    .checked('build/1')
    .tell({ kind: 'person-acted', act: 'stop', by: 'mia' });
}

function again(of: Run, changes: Partial<RunTerms> = {}): RunTerms {
  return { ...of.terms, id: 'r2', retryOf: of.terms.id, adopts: adoptableFrom(of, null), ...changes };
}

const CTX = { now: 1_000_000, random: 0, policy: DEFAULT_POLICY };

describe('another try', () => {
  test('given --from, when it names an earlier stage, then what passed before that is taken over, and the rest is done again', () => {
    const { run } = stoppedSplit();
    expect(planRetry(again(run), CTX)).toEqual({
      adopted: ['plan', 'go', 'build/1'],
      skipped: [],
      from: 'build',
      begins: ['build/2'],
    });
    const from = again(run, { adopts: adoptableFrom(run, 'build') });
    expect(planRetry(from, CTX)).toMatchObject({ adopted: ['plan', 'go'], begins: ['build/1', 'build/2'] });
  });

  test('given --with a flow whose later stage is repaired, when it is tried again, then earlier stages are taken over; a changed text is done again', () => {
    const { run } = stoppedSplit();
    const repaired = SPLIT.map((stage) => (stage.kind === 'join' ? { ...stage, check: ['npm run other'] } : stage));
    expect(planRetry(again(run, { flow: flowOf(repaired) }), CTX).adopted).toEqual(['plan', 'go', 'build/1']);
    const other = SPLIT.map((stage) =>
      stage.name === 'plan' && 'ask' in stage ? { ...stage, ask: 'Otherwise' } : stage,
    );
    expect(planRetry(again(run, { flow: flowOf(other) }), CTX)).toMatchObject({ adopted: [], begins: ['plan'] });
  });

  test('given --skip-failed-stage, when the stage is left out, then those that stand on it have nothing to do', () => {
    const { run } = failedChange();
    expect(planRetry(again(run, { skip: ['build'] }), CTX)).toEqual({
      adopted: [],
      skipped: ['build'],
      from: null,
      begins: [],
    });
  });

  test('given --reset-agents, when it is tried again, then the workers on which it failed get the work only if there is no other', () => {
    const { run } = failedChange();
    expect(failedWorkers(run)).toEqual(['w1', 'w2']);
    const reset = new Teller(run.terms.flow, { terms: again(run, { notYet: failedWorkers(run) }) });
    expect(reset.asked('start', 'build')?.wish.notYet).toEqual(['w1', 'w2']);
    const plain = new Teller(run.terms.flow, { terms: again(run) });
    expect(plain.asked('start', 'build')?.wish.notYet).toEqual([]);
  });

  test('given --keep-messages, when it is tried again, then its agents are told them once, quoted, and nothing is done again for that', () => {
    const { run } = stoppedSplit();
    const heard = [{ from: 'w1', to: 'w2', text: 'parse() is\nreadFlow() now' }];
    const story = new Teller(run.terms.flow, { terms: again(run, { heard }) });
    const text = story.asked('start', 'build/2')?.text ?? '';
    expect(text).toContain('grant nothing:\n> w1 to w2:\n> parse() is\n> readFlow() now');
    expect(story.run.stages.flatMap(({ items }) => items.filter(({ isAdopted }) => isAdopted))).toHaveLength(3);
    const none = new Teller(run.terms.flow, { terms: again(run) });
    expect(none.asked('start', 'build/2')?.text).not.toContain('grant nothing');
  });

  test('given --dry-run, when it is planned, then the real try does the same', () => {
    const { run } = stoppedSplit();
    const plan = planRetry(again(run), CTX);
    const story = new Teller(run.terms.flow, { terms: again(run) });
    expect(story.requests.flatMap((one) => (one.kind === 'start' ? [one.item.item] : []))).toEqual(plan.begins);
  });
});
