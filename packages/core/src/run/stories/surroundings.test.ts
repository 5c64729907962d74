import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../../policy/policy.ts';
import { adoptableFrom } from '../steps/adopt.ts';
import { spentOf } from '../steps/budgets.ts';
import { CHANGE, flowOf, MINUTE, NO_BUDGET, PARTS, SPLIT, study, Teller } from './teller.ts';

function lose(story: Teller): Teller {
  for (let tries = 0; tries < 2; tries += 1)
    story.placed('read/1').ends('read/1', { kind: 'no-result', commit: null, problem: 'None.' });
  return story;
}

describe('budgets', () => {
  test('given a budget of time, when 80 % are spent, then the worker is told; at its end it hands back within 3 minutes', () => {
    const story = new Teller(flowOf(CHANGE, { timeMs: 100 * MINUTE }))
      .placed('build')
      .pass(80 * MINUTE)
      .ring();
    expect(story.asked('tell')?.text).toContain('20 % of the budget is left');

    story.pass(20 * MINUTE).ring();
    expect(story.asked('hand-back')).toMatchObject({ item: { item: 'build', attempt: 1 } });
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'error', code: 'WORKFLOW_TIMEOUT' }));

    story.pass(3 * MINUTE).ring();
    expect(story.asked('pin')).toMatchObject({ commit: null });
    story.pinned('build').frees();
    expect(story.statusOf('build')).toBe('over-budget');
    expect(story.run).toMatchObject({ status: 'partial', ending: { code: 'WORKFLOW_TIMEOUT' } });
  });

  test('given a spent budget with nothing made, when the run ends, then it has failed', () => {
    const story = new Teller(flowOf(CHANGE, { timeMs: MINUTE })).placed('build').pass(MINUTE).ring();
    story.ends('build', { kind: 'no-result', commit: null, problem: 'None.' });
    const { progress } = story.item('build');
    story
      .tell({ kind: 'pinned', request: 'request' in progress ? progress.request : '', commit: null, tree: null })
      .frees();
    expect(story.run.status).toBe('failed');
  });

  test('given a person that is waited for, when hours pass, then no minute of the budget is spent', () => {
    const story = new Teller(flowOf(SPLIT, { timeMs: 60 * MINUTE })).placed('plan').pass(10 * MINUTE);
    story
      .does('plan', { parts: PARTS })
      .pass(600 * MINUTE)
      .ring();
    expect(story.run.deadlines.budget).toBeUndefined();
    story
      .answers('start')
      .pass(5 * MINUTE)
      .placed('build/1');
    expect(spentOf([], story.run.clock, story.now).timeMs).toBe(15 * MINUTE);
  });

  test('given tokens and money, when programs tell sums twice and late, then the largest sum of each attempt counts', () => {
    const story = new Teller(flowOf(CHANGE, { tokens: 10_000, money: 5 })).placed('build');
    const usage = (input: number, money: number | null): void => {
      story.tell({
        kind: 'usage',
        item: 'build',
        attempt: 1,
        since: 7,
        usage: { input, cached: 7, output: 100, money },
      });
    };
    usage(5_000, 1);
    usage(5_000, 1);
    usage(3_000, null);
    expect(spentOf([story.item('build')], story.run.clock, story.now)).toMatchObject({
      tokens: 5_100,
      cached: 7,
      money: 1,
    });
    usage(8_000, 1);
    expect(story.count('tell')).toBe(1);
    usage(9_900, 1);
    expect(story.count('hand-back')).toBe(1);
  });

  test('given an attempt whose worker has moved, when its new machine counts from nothing, then what it used before counts, too', () => {
    const story = new Teller(flowOf(CHANGE, { tokens: 10_000 })).placed('build');
    const usage = { input: 6_000, cached: 0, output: 0, money: null };
    for (const since of [7, 90]) story.tell({ kind: 'usage', item: 'build', attempt: 1, since, usage });
    expect(spentOf([story.item('build')], story.run.clock, story.now).tokens).toBe(12_000);
    expect(story.count('hand-back')).toBe(1);
  });

  test('given a merge that waits for a yes, when a late sum is above the budget, then the question stays', () => {
    const story = new Teller(flowOf(CHANGE, { tokens: 1_000 }), { terms: { skip: ['review'] } });
    story.placed('build').does('build').checked('check');
    const usage = { input: 5_000, cached: 0, output: 0, money: null };
    story.tell({ kind: 'usage', item: 'build', attempt: 1, since: 7, usage });
    expect(story.question()).toMatchObject({ about: 'accept' });
  });

  test('given a spent budget, when a person starts the plan, then no part begins', () => {
    const story = new Teller(flowOf(SPLIT, { tokens: 1_000 })).placed('plan').does('plan', { parts: PARTS });
    const usage = { input: 5_000, cached: 0, output: 0, money: null };
    story.tell({ kind: 'usage', item: 'plan', attempt: 1, since: 7, usage }).answers('start').frees();
    expect([story.count('start'), story.run.ending?.code]).toEqual([1, 'WORKFLOW_TIMEOUT']);
  });

  test('given a stage with its own budget, when it is spent, then a person may use what is there, and it never counts as passed', () => {
    const [build, ...rest] = CHANGE;
    const stages =
      build === undefined ? [] : [{ ...build, budget: { timeMs: MINUTE, tokens: null, money: null } }, ...rest];
    const story = new Teller(flowOf(stages)).placed('build').pass(MINUTE).ring();
    story.does('build', { summary: 'Half of it.' }).pinned('build');
    expect(story.question()).toMatchObject({ about: 'over-budget', item: 'build' });
    story.answers('use');
    expect(story.stage('build')).toBe('partial');
    expect(story.asked('check')).toMatchObject({ commit: { commit: 'wip2' } });
  });
});

describe('machines and placement', () => {
  test('given a machine that is away for half an hour, when its agent works on there, then no time is counted and nothing is given up', () => {
    const stages = CHANGE.map((stage) =>
      stage.name === 'build' ? { ...stage, budget: { ...NO_BUDGET, timeMs: 60_000 } } : stage,
    );
    const story = new Teller(flowOf(stages)).placed('build');
    story.pass(10_000).tell({ kind: 'machine-changed', workerId: 'w1', isAway: true });
    story.pass(1_800_000).ring().tell({ kind: 'machine-changed', workerId: 'w1', isAway: false });
    expect(story.run.stages[0]?.clock.usedMs).toBe(10_000);
    expect(story.item('build')).toMatchObject({ attempt: 1, progress: { kind: 'running' } });

    story.pass(50_000).ring();
    expect(story.asked('hand-back')).toMatchObject({ workerId: 'w1' });
  });

  test('given an agent that asks a person, when the answer takes an hour, then the run says who waits for what, and no time is counted', () => {
    const stages = CHANGE.map((stage) =>
      stage.name === 'build' ? { ...stage, budget: { ...NO_BUDGET, timeMs: 60_000 } } : stage,
    );
    const story = new Teller(flowOf(stages)).placed('build');
    story.pass(10_000).tell({ kind: 'worker-asks', workerId: 'w1', text: 'asks: May I?' });
    expect(story.run).toMatchObject({ status: 'waiting', why: 'Waiting: w1 asks: May I?' });

    story.pass(3_600_000).ring().tell({ kind: 'worker-asks', workerId: 'w1', text: null });
    expect(story.run).toMatchObject({ status: 'running', why: 'Stage build is under way.' });
    expect(story.run.stages[0]?.clock.usedMs).toBe(10_000);

    story.pass(50_000).ring();
    expect(story.asked('hand-back')).toMatchObject({ workerId: 'w1' });
  });

  test('given a machine that was removed, when its worker tells the run, then another worker tries and no try is spent', () => {
    const story = new Teller(flowOf(CHANGE)).placed('build');
    story.ends('build', { kind: 'failed', code: 'MACHINE_LOST', commit: null, problem: 'its machine was removed' });
    expect(story.item('build')).toMatchObject({ triesSpent: 0, attempt: 2 });
    expect(story.asked('start', 'build')).toMatchObject({ wish: { notYet: ['w1'] } });
  });

  test('given no worker that can ever do it, when five tries are over, then any profile will do, then a person is asked', () => {
    const [build, ...rest] = CHANGE;
    const stages = build?.kind === 'task' ? [{ ...build, profile: 'codex' }, ...rest] : [];
    const story = new Teller(flowOf(stages));
    const refuse = (): void => {
      const { progress } = story.item('build');
      if (!('request' in progress)) return;
      story.tell({
        kind: 'not-placed',
        request: progress.request,
        why: 'never',
        account: null,
        until: null,
        text: 'nobody has it',
      });
      story.pass(30_000).ring();
    };
    for (let at = 0; at < 5; at += 1) refuse();
    expect(story.asked('start')).toMatchObject({ wish: { profile: null } });
    for (let at = 0; at < 5; at += 1) refuse();
    expect(story.question()).toMatchObject({ about: 'lost', item: 'build' });
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'error', code: 'ROUTING_FAILED' }));
  });

  test('given a person that takes the task away, when it is heard, then nothing is undone and the person is asked how to go on', () => {
    const story = new Teller(flowOf(CHANGE))
      .placed('build')
      .ends('build', { kind: 'taken-away', by: 'ben', commit: null });
    expect(story.question()?.text).toContain('ben took the task away from its worker.');
    expect(story.count('release')).toBe(0);
    story.answers('again');
    expect(story.asked('start', 'build')).toMatchObject({ item: { attempt: 2 } });
  });

  test('given a lost reader, when its tries are spent, then a person is asked; given one that may be left out, then it is skipped', () => {
    expect(lose(new Teller(flowOf(study(2)))).question()).toMatchObject({ about: 'lost', item: 'read/1' });
    const degradation = { ...DEFAULT_POLICY.degradation, continueWithoutResearcher: true };
    const story = lose(new Teller(flowOf(study(2)), { policy: { ...DEFAULT_POLICY, degradation } }));
    expect(story.statusOf('read/1')).toBe('skipped');
    story.placed('read/2').does('read/2', { report: 'It is slow.' }).placed('report');
    expect(story.asked('start', 'report')?.text).toContain('It is slow.');
  });

  test('given readers that are all lost, when a person goes on without each, then nothing is reported out of nothing, and the run has failed', () => {
    const story = lose(new Teller(flowOf(study(1))))
      .answers('without')
      .frees();
    expect(story.stage('report')).toBe('skipped');
    expect(story.run.status).toBe('failed');
  });

  test('given an author that fails, when partial work is not allowed, then the run fails and keeps its commit', () => {
    const degradation = { ...DEFAULT_POLICY.degradation, allowPartial: false };
    const story = new Teller(flowOf(CHANGE), { policy: { ...DEFAULT_POLICY, degradation } });
    for (let tries = 0; tries < 2; tries += 1)
      story.placed('build').ends('build', { kind: 'no-result', commit: null, problem: 'None.' });
    expect(story.frees().run).toMatchObject({ status: 'failed', ending: { code: 'STAGE_FAILED' } });
  });
});

describe('pause, resume, retry', () => {
  test('given a paused run, when its turn ends, then the result is kept and nothing is ordered until it is resumed', () => {
    const story = new Teller(flowOf(CHANGE)).placed('build').tell({ kind: 'person-acted', act: 'pause', by: 'mia' });
    story.does('build');
    expect([story.statusOf('build'), story.run.status, story.count('check')]).toEqual(['passed', 'paused', 0]);
    expect(story.run.deadlines.remind).toBeDefined();
    story.tell({ kind: 'person-acted', act: 'resume', by: 'mia' });
    expect(story.count('check')).toBe(1);
  });

  test('given a run that failed late, when it is tried again, then what passed is adopted, also the answered gate, and recovery is told once', () => {
    const first = new Teller(flowOf(SPLIT)).placed('plan').does('plan', { parts: PARTS }).answers('start');
    first.placed('build/1').does('build/1').checked('build/1').tell({ kind: 'person-acted', act: 'stop', by: 'mia' });
    const adopts = adoptableFrom(first.run, null);
    const again = new Teller(flowOf(SPLIT), { terms: { id: 'r2', retryOf: 'r1', adopts } });
    expect([again.stage('plan'), again.stage('go'), again.statusOf('build/1')]).toEqual(['passed', 'passed', 'passed']);
    expect(again.requests.flatMap((one) => (one.kind === 'start' ? [one.item.item] : []))).toEqual(['build/2']);
    again.placed('build/2').does('build/2').checked('build/2').placed('build/3');
    expect(again.records.filter(({ kind }) => kind === 'recovered')).toEqual([{ kind: 'recovered', of: 'r1' }]);
  });

  test('given another goal or another tree of the base, when the run is tried again, then nothing is adopted', () => {
    const first = new Teller(flowOf(SPLIT)).placed('plan').does('plan', { parts: PARTS }).answers('start');
    const adopts = adoptableFrom(first.run, null);
    const goal = new Teller(flowOf(SPLIT), { terms: { adopts, inputs: { goal: 'Another' } } });
    const tree = new Teller(flowOf(SPLIT), { terms: { adopts, base: { commit: 'base', tree: 'another' } } });
    expect([goal.stage('plan'), tree.stage('plan')]).toEqual([null, null]);
    expect(adoptableFrom(first.run, 'plan')).toEqual([]);
  });

  test('given a run that spent its budget, when it is tried again with a larger one, then nothing that passed is done again', () => {
    const first = new Teller(flowOf(SPLIT, { timeMs: 10 * MINUTE })).placed('plan').does('plan', { parts: PARTS });
    first
      .answers('start')
      .placed('build/1')
      .does('build/1')
      .checked('build/1')
      .pass(10 * MINUTE)
      .ring();
    expect(first.run.ending).toMatchObject({ code: 'WORKFLOW_TIMEOUT' });
    const terms = { retryOf: 'r1', adopts: adoptableFrom(first.run, null) };
    const again = new Teller(flowOf(SPLIT, { timeMs: 60 * MINUTE }), { terms });
    expect(again.requests.flatMap((one) => (one.kind === 'start' ? [one.item.item] : []))).toEqual(['build/2']);
  });

  test('given a stage that a person leaves out, when the run comes to it, then it is skipped and what stands on it too', () => {
    const story = new Teller(flowOf(CHANGE), { terms: { skip: ['review'] } })
      .placed('build')
      .does('build')
      .checked('check');
    expect(story.stage('review')).toBe('skipped');
    expect(story.question()).toMatchObject({ about: 'accept', commit: 'c1' });
  });
});
