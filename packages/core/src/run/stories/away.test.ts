/** Work of a run on several machines: one that is away for long, and one that the commits do not reach. */
import { describe, expect, test } from 'vitest';
import { CHANGE, flowOf, Teller } from './teller.ts';

const HOUR = 3_600_000;
const AWAY = { kind: 'machine-changed', workerId: 'w1', isAway: true } as const;

/** Returns a story in which the build passed on one machine, and goes back to its author after a review. */
function inSecondAttempt(): Teller {
  const story = new Teller(flowOf(CHANGE)).placed('build').does('build').checked('check');
  const findings = [{ id: 'F1', severity: 'major', file: 'a.ts', line: 1, text: 'Wrong' } as const];
  return story.placed('review', { profile: 'codex' }).does('review', { verdict: 'revise', findings }).placed('build');
}

describe('a machine that is away', () => {
  test('given work that stands on a pinned commit, when its machine is away for an hour, then another worker begins on that commit, no try is spent, and a late result changes nothing', () => {
    const story = inSecondAttempt();
    const { triesSpent } = story.item('build');
    story
      .tell(AWAY)
      .pass(HOUR - 1)
      .ring();
    expect(story.item('build').progress).toMatchObject({ kind: 'running', isAway: true });

    story.pass(1).ring();

    expect(story.asked('release', 'build')).toMatchObject({ workerId: 'w1' });
    expect(story.asked('start', 'build')).toMatchObject({ from: 'c1', wish: { notYet: ['w1'] } });
    expect(story.item('build')).toMatchObject({ attempt: 3, triesSpent, freeTries: 1 });
    const end = { kind: 'no-result', commit: 'late', problem: 'none' } as const;
    story.tell({ kind: 'task-ended', item: 'build', attempt: 2, workerId: 'w1', end });
    expect(story.item('build')).toMatchObject({ attempt: 3, output: { commit: 'c1' } });
  });

  test('given a machine that comes back in time, when the hour is over, then its agent is still at the work', () => {
    const story = inSecondAttempt()
      .tell(AWAY)
      .pass(HOUR / 2);
    story
      .tell({ ...AWAY, isAway: false })
      .pass(HOUR)
      .ring();
    expect(story.item('build')).toMatchObject({ attempt: 2, progress: { kind: 'running', isAway: false } });
  });

  test('given the machine with the commits of the run, when it is away for a day, then the run waits for it', () => {
    const story = inSecondAttempt().tell({ ...AWAY, isWithCommits: true });
    story.pass(24 * HOUR).ring();
    expect(story.item('build')).toMatchObject({ attempt: 2, progress: { kind: 'running', isAway: true } });
  });

  test('given a worker whose machine is away by the time that the run hears of it, when the hour is over, then another one gets the work', () => {
    const story = new Teller(flowOf(CHANGE));
    const { progress } = story.item('build');
    const request = 'request' in progress ? progress.request : '';
    const worker = { workerId: 'w1', name: 'w1', profile: 'claude', account: null };
    story
      .tell({ kind: 'placed', request, item: 'build', attempt: 1, ...worker, isAway: true })
      .pass(HOUR)
      .ring();
    expect(story.asked('start', 'build')).toMatchObject({ item: { attempt: 2 } });
  });
});

test('given a deadline that comes late, since no coordinator ran, when it is heard, then the machine has five minutes to come back before its work is given away', () => {
  const story = inSecondAttempt().tell(AWAY);
  story.pass(2 * HOUR).ring();
  expect(story.item('build').progress).toMatchObject({ kind: 'running', isAway: true });
  story.pass(300_000 - 1).ring();
  expect(story.item('build').attempt).toBe(2);
  story.pass(1).ring();
  expect(story.item('build').attempt).toBe(3);
});

test('given work whose commit is being kept, when its machine is away, then no time is counted until it is back', () => {
  const story = new Teller(flowOf(CHANGE)).placed('build');
  story.ends('build', { kind: 'no-result', commit: 'c1', problem: 'none' }).tell(AWAY);
  expect(story.item('build').progress).toMatchObject({ kind: 'pinning', isAway: true });
  expect(story.run.clock.runsSince).toBeNull();
  story.tell({ ...AWAY, isAway: false });
  expect(story.run.clock.runsSince).toBe(story.now);
});

/** Tells of a commit that is not kept, as often as it is tried. */
function cannotBeKept(story: Teller): void {
  for (let tries = 0; tries < 5; tries += 1) {
    const { progress } = story.item('build');
    const request = 'request' in progress ? progress.request : '';
    const text = 'big.bin is kept by Git LFS';
    story
      .tell({ kind: 'not-pinned', request, text, unreached: ['w1', 'w8'] })
      .pass(30_000)
      .ring();
  }
}

test('given a commit that cannot be carried back, when the work is done again, then workers of other machines come first, and when it fails alike, then a person is asked', () => {
  const story = new Teller(flowOf(CHANGE)).placed('build');
  const end = { kind: 'no-result', commit: 'large', problem: 'none' } as const;
  cannotBeKept(story.ends('build', end));

  expect(story.asked('start', 'build')).toMatchObject({ item: { attempt: 2 }, wish: { notYet: ['w1', 'w8'] } });
  cannotBeKept(story.placed('build').ends('build', end));
  expect(story.question()).toMatchObject({ about: 'lost', text: expect.stringContaining('Git LFS') });
  expect(story.item('build')).toMatchObject({ attempt: 2, triesSpent: 0 });
});

test('given work that waited long for a busy worker, when one parcel fails, then it is tried again, and no person is asked', () => {
  const story = new Teller(flowOf(CHANGE));
  for (const why of [...Array.from({ length: 6 }, () => 'busy' as const), 'never' as const]) {
    const { progress } = story.item('build');
    const request = 'request' in progress ? progress.request : '';
    story.tell({ kind: 'not-placed', request, why, account: null, until: null, text: 'nobody is free' });
    if (why === 'busy') story.pass(600_000).ring();
  }
  expect(story.question()).toBeNull();
  expect(story.item('build')).toMatchObject({ isProfileOpen: false, progress: { kind: 'waiting', on: 'worker' } });
});

test('given a machine to which the commits cannot be carried, when the work is placed again, then others are tried before its workers, and after five tries a person is asked', () => {
  const story = new Teller(flowOf(CHANGE));
  const refuse = (): void => {
    const { progress } = story.item('build');
    const request = 'request' in progress ? progress.request : '';
    const away = { account: null, until: null, text: 'the parcel is damaged', unreached: ['w7', 'w8'] };
    story
      .tell({ kind: 'not-placed', request, why: 'never', ...away })
      .pass(30_000)
      .ring();
  };
  refuse();
  expect(story.asked('start', 'build')).toMatchObject({ wish: { notYet: ['w7', 'w8'] } });
  for (let at = 0; at < 4; at += 1) refuse();
  expect(story.question()).toMatchObject({ about: 'lost', text: expect.stringContaining('the parcel is damaged') });
  expect(story.item('build').triesSpent).toBe(0);
});
