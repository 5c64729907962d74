/** Work of a run whose machine a person revokes: nobody waits for it. */
import { expect, test } from 'vitest';
import { CHANGE, finding, flowOf, MINUTE, SPLIT, PARTS, Teller } from './teller.ts';

const GONE = { kind: 'machine-changed', workerId: 'w1', isAway: true, isGone: true } as const;

function requestOf(story: Teller, item: string): string {
  const { progress } = story.item(item);
  return 'request' in progress ? progress.request : '';
}

test('given an agent at work, when its machine is revoked, then another worker gets the work at once, no try is spent, and a late result changes nothing', () => {
  const story = new Teller(flowOf(CHANGE)).placed('build').tell(GONE);

  expect(story.asked('release', 'build')).toMatchObject({ workerId: 'w1' });
  expect(story.asked('start', 'build')).toMatchObject({ item: { attempt: 2 }, from: 'base', wish: { notYet: ['w1'] } });
  expect(story.item('build')).toMatchObject({ triesSpent: 0, freeTries: 1 });
  const end = { kind: 'no-result', commit: 'late', problem: 'none' } as const;
  story.tell({ kind: 'task-ended', item: 'build', attempt: 1, workerId: 'w1', end });
  expect(story.item('build')).toMatchObject({ attempt: 2, output: { commit: null } });
});

test('given finished work that is being kept, when its machine is revoked, then it is done again, and a commit that comes late is not used', () => {
  const story = new Teller(flowOf(CHANGE)).placed('build');
  story.ends('build', { kind: 'no-result', commit: 'c1', problem: 'none' });
  const request = requestOf(story, 'build');

  story.tell(GONE).tell({ kind: 'pinned', request, commit: 'c1', tree: 't' });

  expect(story.asked('start', 'build')).toMatchObject({ item: { attempt: 2 } });
  expect(story.item('build').output.commit).toBeNull();
});

test('given an author that waits for the reviewer, when its machine is revoked, then it is freed, and the findings go to another worker with the whole task', () => {
  const story = new Teller(flowOf(CHANGE)).placed('build').does('build').checked('check').placed('review');

  story.tell(GONE);
  const freed = story.asked('release', 'build');
  story.does('review', { verdict: 'revise', findings: [finding('F1')] });

  expect(freed).toMatchObject({ workerId: 'w1' });
  const text = expect.stringMatching(/^Add a flag[^]*F1/u);
  expect(story.asked('start', 'build')).toMatchObject({ from: 'c1', item: { attempt: 2 }, text });
});

test('given a next turn on its way to a worker, when its machine is revoked by the time that the run hears of it, then another worker gets the work', () => {
  const story = new Teller(flowOf(CHANGE)).placed('build').does('build').checked('check').placed('review');
  story.does('review', { verdict: 'revise', findings: [finding('F1')] });
  const { attempt } = story.item('build');

  story.tell(GONE);
  const event = { item: 'build', attempt, workerId: 'w1', name: 'w1', profile: 'claude', account: null } as const;
  story.tell({ kind: 'placed', request: requestOf(story, 'build'), ...event, isGone: true });

  expect(story.asked('start', 'build')).toMatchObject({ item: { attempt: attempt + 1 }, from: 'c1' });
  expect(story.asked('release', 'build')).toMatchObject({ workerId: 'w1' });
});

test('given a run that ends, when the machine of its last agent is revoked, then it comes to its end', () => {
  const story = new Teller(flowOf(CHANGE)).placed('build');
  story.tell({ kind: 'person-acted', act: 'stop', by: 'mia' });
  story.tell(GONE).frees();
  expect(story.run.status).toBe('stopped');
});

test('given the machine with the commits revoked, when a review is to be placed, then a person is asked at once, and the review is not left out', () => {
  const story = new Teller(flowOf(CHANGE)).placed('build').does('build').checked('check');
  const told = { account: null, until: null, text: '"m1", which has the commits of the run, is revoked' };
  story.tell({ kind: 'not-placed', request: requestOf(story, 'review'), why: 'no-commits', ...told });

  expect(story.question()).toMatchObject({ about: 'lost', item: 'review', text: expect.stringContaining('revoked') });
  story.answers('again');
  expect(story.asked('start', 'review')).toMatchObject({ item: { attempt: 2 } });
});

test('given parts one after another, when the machine of the first is away, then no time is counted, though the others wait for their turn', () => {
  const story = new Teller(flowOf(SPLIT))
    .placed('plan')
    .does('plan', { parts: PARTS.slice(1) }, false)
    .answers('start');
  story.placed('build/1', { workerId: 'w7' });
  expect(story.run.clock.runsSince).not.toBeNull();

  story.tell({ kind: 'machine-changed', workerId: 'w7', isAway: true });

  expect(story.item('build/2').progress).toMatchObject({ kind: 'waiting', on: 'turn' });
  expect(story.run.clock.runsSince).toBeNull();
});

test('given finished work, when the machine with the commits is away, then no time is counted while work is kept, checked or joined, and an agent at work elsewhere goes on counting', () => {
  const away = { kind: 'home-changed', isAway: true } as const;
  const back = { kind: 'home-changed', isAway: false } as const;
  const story = new Teller(flowOf(SPLIT)).placed('plan').does('plan', { parts: PARTS }, false).answers('start');
  story.placed('build/1').placed('build/2');
  story.ends('build/1', { kind: 'no-result', commit: 'c8', problem: 'none' });

  story.tell(away);
  expect(story.run.clock.runsSince).not.toBeNull();
  story.ends('build/2', { kind: 'no-result', commit: 'c9', problem: 'none' });
  expect(story.run.clock.runsSince).toBeNull();
  const used = story.run.clock.usedMs;
  story.pass(90 * MINUTE).tell(back);
  expect(story.run.clock).toMatchObject({ usedMs: used, runsSince: story.now });

  const checking = new Teller(flowOf(CHANGE)).placed('build').does('build').tell(away);
  expect(checking.item('check').progress.kind).toBe('checking');
  expect(checking.run.clock.runsSince).toBeNull();
});

test('given an item whose machine is lost again and again, when it was begun six times, then a person is asked, and no try is spent', () => {
  const story = new Teller(flowOf(CHANGE));
  const lost = { kind: 'failed', code: 'MACHINE_LOST', problem: 'Its machine is gone.', commit: null } as const;
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    expect(story.question()).toBeNull();
    story.placed('build').ends('build', lost);
  }

  expect(story.item('build')).toMatchObject({ triesSpent: 0, progress: { kind: 'waiting', on: 'person' } });
  expect(story.question()).toMatchObject({ about: 'lost', text: expect.stringContaining('Its machine is gone.') });
  story.answers('again').placed('build').ends('build', lost);
  expect(story.question()).toBeNull();
  expect(story.asked('start', 'build')).toMatchObject({ item: { attempt: 8 } });
});

test('given an author that is offline when its next turn comes, when another worker gets the work, then the first one is freed, so that it does not come back with it', () => {
  const story = new Teller(flowOf(CHANGE)).placed('build').does('build').checked('check').placed('review');
  story.does('review', { verdict: 'revise', findings: [finding('F1')] });
  const told = { account: null, until: null, text: 'the worker is offline' };

  story.tell({ kind: 'not-placed', request: requestOf(story, 'build'), why: 'gone', ...told });

  expect(story.asked('release', 'build')).toMatchObject({ workerId: 'w1' });
  expect(story.asked('start', 'build')).toMatchObject({ from: 'c1' });
});
