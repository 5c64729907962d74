/** Tells stories of budgets of `drover.toml`, of a worker, the project and its day, that come to their end in the midst of a run. */
import { describe, expect, test } from 'vitest';
import type { BudgetUse } from '../allowance.ts';
import { CHANGE, flowOf, MINUTE, part, SPLIT, Teller } from './teller.ts';

const USED = {
  kind: 'usage',
  item: 'build',
  attempt: 1,
  since: 7,
  usage: { input: 200, cached: 0, output: 0, money: null },
} as const;

const DAY_ENDS = 50_000_000;

function use(share: number, scope: BudgetUse['scope'] = 'day'): BudgetUse {
  return { scope, share, words: `${Math.round(share * 100)} of 100 tokens` };
}

function spends(story: Teller, item: string, { share, scope }: { share: number; scope?: BudgetUse['scope'] }): Teller {
  const workerId = story.item(item).worker?.workerId ?? '?';
  return story.tell({ kind: 'budget-told', workerId, uses: [use(share, scope)] });
}

/** Finds a budget spent when the next turn of an item is to begin. */
function refuses(story: Teller, item: string, spent: BudgetUse = use(1.05), dayEndsAt = DAY_ENDS): Teller {
  const { progress, worker } = story.item(item);
  const request = 'request' in progress ? progress.request : '';
  const of = { use: spent, workerId: worker?.workerId ?? 'w9', dayEndsAt };
  return story.tell({ kind: 'not-placed', request, why: 'budget', spent: of, text: 'it is spent' });
}

/** Two agents at parts of a split. */
function atParts(): Teller {
  const parts = [part('A', ['a']), part('B', ['b'])];
  const story = new Teller(flowOf(SPLIT)).placed('plan').does('plan', { parts }).answers('start');
  return story.placed('build/1').placed('build/2');
}

/** Spends the budget of the day under both agents, which hand back. */
function stopped(): Teller {
  const story = atParts();
  for (const item of ['build/1', 'build/2']) spends(story, item, { share: 1.05 });
  for (const item of ['build/1', 'build/2']) refuses(story.does(item).pinned(item), item);
  return story;
}

describe('near the end', () => {
  test('given four fifths of the budget of the day are spent, when its use is told twice, then the agent is told once, and goes on', () => {
    const story = atParts();
    spends(story, 'build/1', { share: 0.82 });
    spends(story, 'build/1', { share: 0.9 });
    expect(story.count('tell')).toBe(1);
    expect(story.asked('tell', 'build/1')?.text).toBe(
      '18 % of the budget of the day is left (82 of 100 tokens): finish, or report what you have with drover result.',
    );
    expect(story.count('hand-back')).toBe(0);
  });
});

describe('at the end', () => {
  test('given agents at work, when the budget of the day is spent, then each is interrupted, and hands back in three minutes', () => {
    const story = atParts();
    spends(story, 'build/1', { share: 1.05 });
    expect(story.count('hand-back')).toBe(1);
    expect(story.item('build/1').progress).toMatchObject({ handBackUntil: story.now + 3 * MINUTE });
    spends(story, 'build/2', { share: 1.06 });
    expect(story.count('hand-back')).toBe(2);
  });

  test('given agents that handed back, when their commits are kept, then the items wait with their workers, no try is spent, nothing has passed, and a person is asked once', () => {
    const story = stopped();
    expect(['build/1', 'build/2'].map((name) => story.item(name))).toMatchObject([
      { triesSpent: 0, progress: { kind: 'waiting', on: 'budget', retryAt: DAY_ENDS }, worker: { workerId: 'w2' } },
      { triesSpent: 0, progress: { kind: 'waiting', on: 'budget', retryAt: DAY_ENDS }, worker: { workerId: 'w3' } },
    ]);
    expect([story.count('release'), story.count('check')]).toEqual([1, 0]);
    expect(story.requests.filter((one) => one.kind === 'ask' && one.question.about === 'budget')).toHaveLength(1);
    expect(story.question()?.text).toContain('The budget of the day is spent: 105 of 100 tokens.');
    expect(story.run).toMatchObject({ status: 'waiting', clock: { runsSince: null } });
  });

  test('given an agent that does not hand back, when its three minutes are over, then what is there is kept, and its worker is stopped', () => {
    const story = spends(new Teller(flowOf(CHANGE)).placed('build'), 'build', { share: 1 });
    story
      .pass(3 * MINUTE)
      .ring()
      .pinned('build');
    expect(story.asked('release', 'build')).toMatchObject({ workerId: 'w1' });
    refuses(story, 'build');
    expect(story.item('build')).toMatchObject({ worker: null, from: 'wip1', progress: { on: 'budget' } });
    story.answers('today');
    expect(story.asked('start', 'build')?.text).toContain('Add a flag');
    expect(story.asked('start', 'build')).toMatchObject({ from: 'wip1' });
  });

  test('given a run with a spent budget of its own, when the day is spent, too, then its own counts: the item is over its budget', () => {
    const story = new Teller(flowOf(CHANGE, { tokens: 100 })).placed('build');
    story.tell(USED);
    spends(story, 'build', { share: 2 }).does('build').pinned('build');
    expect(story.statusOf('build')).toBe('over-budget');
  });

  test('given a person who stops the run while it waits, then it ends with what is there', () => {
    const story = stopped().answers('stop').frees();
    expect(story.run.status).toBe('stopped');
    expect(story.item('build/1')).toMatchObject({ worker: null, progress: { as: 'partial' } });
  });
});

describe('once there is room', () => {
  test('given a run that waits, when the day ends, then its agents go on where they stopped, and the question is taken back', () => {
    const story = stopped();
    story.now = DAY_ENDS;
    story.ring();
    expect(story.asked('send', 'build/1')).toMatchObject({ workerId: 'w2', item: { attempt: 3 } });
    expect(story.asked('send', 'build/1')?.text).toContain('go on with your task where you stopped');
    story.placed('build/1').placed('build/2');
    expect(story.run).toMatchObject({ status: 'running', questions: [] });
    expect(story.count('withdraw')).toBe(1);
  });

  test('given a budget of two weeks, when the day ends and it is still spent, then the run goes on waiting, and nobody is asked again', () => {
    const story = stopped();
    const moves = (): number => story.records.filter(({ kind }) => kind === 'run-moved').length;
    const before = moves();
    story.now = DAY_ENDS;
    story.ring();
    const nextDay = DAY_ENDS + 86_400_000;
    for (const item of ['build/1', 'build/2']) refuses(story, item, use(1.05, 'project'), nextDay);
    expect(story.requests.filter((one) => one.kind === 'ask' && one.question.about === 'budget')).toHaveLength(1);
    expect([story.run.status, moves()]).toEqual(['waiting', before]);
  });

  test('given an answer "raise", when others spent on meanwhile, then the half comes on top of what is spent by then, and the end comes again there', () => {
    const story = stopped();
    story.answers('raise', { spent: { use: use(1.6), workerId: 'w2', dayEndsAt: DAY_ENDS } });
    story.placed('build/1').placed('build/2');
    spends(story, 'build/1', { share: 2.09 });
    expect(story.count('hand-back')).toBe(2);
    spends(story, 'build/1', { share: 2.11 });
    expect(story.count('hand-back')).toBe(3);
  });

  test('given an answer "today", when the next day is spent as well, then its end counts', () => {
    const story = stopped().answers('today').placed('build/1').placed('build/2');
    spends(story, 'build/1', { share: 9 });
    expect(story.count('hand-back')).toBe(2);
    story.now = DAY_ENDS + 1;
    spends(story, 'build/1', { share: 1 });
    expect(story.count('hand-back')).toBe(3);
  });

  test('given a run that waits, when [budget] changes, then its work is placed at once', () => {
    const story = stopped();
    const before = story.count('send');
    story.tell({ kind: 'budget-changed' });
    expect(story.count('send')).toBe(before + 2);
  });

  test('given a spent day, when a run begins, then no turn is spent, and a person is asked', () => {
    const story = refuses(new Teller(flowOf(CHANGE)), 'build', use(1.2));
    expect(story.item('build')).toMatchObject({ triesSpent: 0, progress: { on: 'budget', retryAt: DAY_ENDS } });
    expect(story.question()).toMatchObject({
      about: 'budget',
      options: [{ option: 'raise' }, { option: 'today' }, { option: 'stop' }],
    });
  });

  test('given an agent that still hands back, when the question of another is answered, then it goes on, too, and nobody is asked again', () => {
    const story = atParts();
    for (const item of ['build/1', 'build/2']) spends(story, item, { share: 1.05 });
    refuses(story.does('build/1').pinned('build/1'), 'build/1').answers('raise');
    story.does('build/2').pinned('build/2');
    expect(story.asked('send', 'build/2')).not.toBeNull();
    expect(story.placed('build/1').placed('build/2').run.questions).toEqual([]);
  });

  test('given work that is being placed, when a person answers or [budget] changes, then a refusal from before counts for nothing', () => {
    const answered = stopped();
    answered.now = DAY_ENDS;
    answered.ring();
    refuses(answered, 'build/1').answers('raise');
    refuses(answered, 'build/2');
    expect(answered.item('build/2').progress.kind).toBe('placing');
    expect(answered.question()).toBeNull();

    const changed = refuses(new Teller(flowOf(CHANGE)).tell({ kind: 'budget-changed' }), 'build');
    expect(changed.item('build').progress.kind).toBe('placing');
    expect(refuses(changed, 'build').item('build').progress).toMatchObject({ on: 'budget' });
  });

  test('given [budget] was raised, when an agent is interrupted by a report from before, then it goes on once it has handed back', () => {
    const story = new Teller(flowOf(CHANGE)).placed('build').tell({ kind: 'budget-changed' });
    spends(story, 'build', { share: 1 }).does('build').pinned('build');
    expect(story.asked('send', 'build')).toMatchObject({ item: { attempt: 2 } });
    expect(story.question()).toBeNull();
  });

  test('given a run whose own budget is spent while what was handed back is kept, then it ends with that, and nobody is asked', () => {
    const story = new Teller(flowOf(CHANGE, { tokens: 100 })).placed('build');
    spends(story, 'build', { share: 1 }).ends('build', { kind: 'no-result', commit: null, problem: 'there is none' });
    story.tell(USED);
    expect(story.pinned('build').statusOf('build')).toBe('partial');
    expect([story.count('send'), story.count('ask')]).toEqual([0, 0]);
  });
});

describe('leave', () => {
  test('given a question about the own budget of a worker, when the day is spent before the answer, then only that worker may spend more, and the day is asked about', () => {
    const story = atParts();
    spends(story, 'build/1', { share: 1.2, scope: 'worker' }).does('build/1').pinned('build/1');
    refuses(story, 'build/1', use(1.2, 'worker'));
    expect(story.question()?.text).toContain('The budget of the worker is spent');
    spends(story, 'build/2', { share: 1.01 });
    story.answers('today').placed('build/1');
    spends(story, 'build/1', { share: 9, scope: 'worker' });
    expect(story.item('build/1').progress).toMatchObject({ handBackUntil: null });
    spends(story, 'build/1', { share: 1.02 });
    expect(story.item('build/1').progress).toMatchObject({ handBackUntil: story.now + 3 * MINUTE });
  });

  test('given leave for one worker, when the own budget of another is spent, then that one is interrupted', () => {
    const story = atParts();
    spends(story, 'build/1', { share: 1.2, scope: 'worker' }).does('build/1').pinned('build/1');
    refuses(story, 'build/1', use(1.2, 'worker')).answers('raise');
    spends(story, 'build/2', { share: 1.2, scope: 'worker' });
    expect(story.asked('hand-back', 'build/2')).not.toBeNull();
  });

  test('given a question about a budget that has room by now, when a person raises it, then half of it comes on top of the whole', () => {
    const story = stopped();
    story.answers('raise', { spent: { use: use(0.2), workerId: 'w2', dayEndsAt: DAY_ENDS } });
    story.placed('build/1');
    const before = story.count('hand-back');
    spends(story, 'build/1', { share: 1.4 });
    expect(story.count('hand-back')).toBe(before);
  });
});

describe('work that could be lost', () => {
  test('given a machine that is away, when the budget of the day is spent, then its agent is interrupted once it is back', () => {
    const story = new Teller(flowOf(CHANGE)).placed('build');
    story.tell({ kind: 'machine-changed', workerId: 'w1', isAway: true });
    spends(story, 'build', { share: 1.1 });
    expect(story.count('hand-back')).toBe(0);
    story.tell({ kind: 'machine-changed', workerId: 'w1', isAway: false });
    spends(story, 'build', { share: 1.2 });
    expect(story.count('hand-back')).toBe(1);
  });

  test('given a commit that cannot be kept after the turn that hands back, when its tries are spent, then its worker goes on with its work', () => {
    const story = spends(new Teller(flowOf(CHANGE)).placed('build'), 'build', { share: 1 });
    story.ends('build', { kind: 'no-result', commit: null, problem: 'there is none' });
    for (let tries = 0; story.item('build').progress.kind === 'pinning' && tries < 20; tries += 1) {
      const { progress } = story.item('build');
      const request = 'request' in progress ? progress.request : '';
      story
        .tell({ kind: 'not-pinned', request, text: 'the disk is full' })
        .pass(60 * MINUTE)
        .ring();
    }
    expect(story.count('release')).toBe(0);
    expect(story.asked('send', 'build')).toMatchObject({ workerId: 'w1' });
    expect(story.item('build')).toMatchObject({ triesSpent: 0, freeTries: 0 });
  });

  test('given an agent that fails while it hands back, when what is there is kept, then its worker is let go, and another goes on from there', () => {
    const story = spends(new Teller(flowOf(CHANGE)).placed('build'), 'build', { share: 1 });
    story
      .ends('build', { kind: 'failed', code: 'AGENT_CRASHED', commit: null, problem: 'It crashed.' })
      .pinned('build');
    expect(story.asked('release', 'build')).toMatchObject({ workerId: 'w1' });
    expect(story.asked('start', 'build')).toMatchObject({ from: 'wip1' });
    expect(story.item('build')).toMatchObject({ worker: null, triesSpent: 0 });
  });
});
