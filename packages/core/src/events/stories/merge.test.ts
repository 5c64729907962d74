/** The steps of a merge, and its end when one of them fails. */
import { describe, expect, test } from 'vitest';
import type { CommandResult } from '../../machine/commands.ts';
import { inReview } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';
import type { AcceptStep } from '../../worker/merge.ts';
import type { WorkerStatus } from '../../worker/status.ts';

const FULL: CommandResult = { kind: 'failed', code: 'disk-full', message: 'no space left', retry: true };

test('given commits that change nothing, when they are accepted, then the worker is idle and the note says that nothing was merged', () => {
  const story = inReview().accepted();

  story.rebased({ base: 'cccc', head: 'dddd' }).valid();
  story.answer({ kind: 'nothing-to-merge' }).answer({ kind: 'closed' });
  const recycling = story.worker.command.inFlight?.command;
  story.answer({ kind: 'recycled', base: 'cccc' });

  expect(recycling).toEqual({ kind: 'recycle', commit: 'cccc' });
  expect(story.worker).toMatchObject({
    lifecycle: { status: 'idle', note: 'there was nothing to merge' },
    merge: { accept: null },
  });
});

describe('review', () => {
  test('given an accept, when every step answers, then the worker is free and the lease is given back', () => {
    const story = inReview().accepted();
    expect(story.records).toContainEqual({ kind: 'lease', action: 'acquire' });
    story.lease = 'mine';

    story.rebased({ base: 'aaaa' }).valid();
    story.squashed('dddd', 'aaaa').answer({ kind: 'merged', commit: 'dddd' });
    story.answer({ kind: 'closed' }).answer({ kind: 'recycled', base: 'dddd' });

    expect(story.records).toContainEqual({ kind: 'lease', action: 'release' });
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'idle' },
      merge: { accept: null },
      task: { kind: 'none' },
    });
    expect(story.last).toMatchObject({ kind: 'open', launch: { kind: 'fresh' } });
  });

  test('given another worker that merges, when this one is accepted, then it waits for its turn', () => {
    const story = inReview();
    story.lease = 'other';

    story.accepted().pass('accept');
    expect(story.worker.command.inFlight).toBeNull();
    story.lease = 'free';
    story.pass('accept');

    expect(story.last).toMatchObject({ kind: 'rebase' });
  });

  const blocked = { kind: 'blocked', why: 'commit or stash them' } as const;

  const invalid = { kind: 'invalid', command: 'make', output: 'no' } as const;

  const conflict = { kind: 'conflict', files: ['a'], prompt: 'resolve' } as const;

  test.each<[string, (story: Story) => Story, WorkerStatus]>([
    [
      'the source has uncommitted changes',
      (story) => story.rebased().valid().squashed('dddd').answer(blocked),
      'needs_review',
    ],
    ['a check fails', (story) => story.rebased().answer(invalid), 'working'],
    ['the rebase conflicts', (story) => story.answer(conflict), 'rebasing'],
  ])('given an accept, when %s, then nothing is merged and the lease is given back', (_what, play, status) => {
    const story = play(inReview().accepted());

    expect(story.worker).toMatchObject({ lifecycle: { status: status }, merge: { accept: null } });
    expect(story.records).toContainEqual({ kind: 'lease', action: 'release' });
  });

  test('given the default branch moved meanwhile, when the fast-forward says so, then it is rebased again', () => {
    const story = inReview().accepted();

    story.rebased({ base: 'aaaa' }).valid();
    story.squashed('dddd', 'aaaa').answer({ kind: 'moved', now: 'eeee' });

    expect(story.last).toMatchObject({ kind: 'rebase' });
  });
});

describe('work that waits for review', () => {
  test('given an agent that is being started, when it shows no prompt while the work is merged, then it is not started again', () => {
    const story = inReview().exit(1).pass('restart').opened();
    story.lease = 'mine';
    story.accepted();
    expect(story.last).toMatchObject({ kind: 'rebase' });

    story.pass('start-up');

    expect(story.rules).toContain('start-up:while-merging');
    expect(story.worker).toMatchObject({
      session: { startFailures: 0, pane: { kind: 'up' } },
      incident: { open: { code: 'AGENT_CRASHED' } },
    });
  });
});

describe('a merge that needs no agent', () => {
  test('given work that is being merged, when its agent shows no prompt for too long, then the merge goes on', () => {
    const story = inReview().exit(1).pass('restart').opened();
    story.accepted();
    const startUp = story.worker.deadlines['start-up'];

    for (let start = 0; start < 3; start += 1) {
      story.now = Math.max(story.now, startUp ?? 0);
      story.hear({ kind: 'deadline-expired', name: 'start-up' });
    }

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review' },
      merge: { accept: { step: 'rebase' } },
    });
  });
});

describe('taken down while its work is merged', () => {
  test.each(['rebase', 'squash', 'fast-forward', 'close', 'recycle'])(
    'given a merge at step "%s", when a person takes the worker down, then the merge ends and then the worker is down',
    (at) => {
      const story = inReview().accepted();
      while (story.worker.merge.accept?.step !== at) mergeOn(story);

      story.hear({ kind: 'down-ordered' });
      while (story.worker.merge.accept !== null) mergeOn(story);

      expect(story.worker).toMatchObject({
        lifecycle: { status: 'offline', before: 'idle' },
        task: { kind: 'none' },
        session: { pane: { kind: 'absent' } },
      });
      expect(story.records).toContainEqual({ kind: 'lease', action: 'release' });
    },
  );
});

test('R2: given a merge whose closing fails for good, when it is stopped, then no command is given before its pause', () => {
  const story = inReview();
  story.lease = 'mine';
  story.accepted().rebased({ base: 'b', head: 'h' });
  story.valid().squashed('c', 'b');
  story.answer({ kind: 'merged', commit: 'c' }).answer(FULL).pass('hold').answer(FULL).pass('hold');
  expect(story.last).toEqual({ kind: 'close' });

  story.answer(FULL);

  expect(story.worker).toMatchObject({ merge: { accept: null }, command: { inFlight: null } });
  expect(story.worker.deadlines.hold).toBeGreaterThan(story.now);
});

test('given a merge of a worker that was taken down, when a step of it cannot work, then it stops and the session is closed', () => {
  const story = merging('rebase').hear({ kind: 'down-ordered' });

  story.answer({ kind: 'failed', code: 'worktree-dirty', message: 'changes are not committed', retry: false });

  expect(story.worker.merge.accept).toBeNull();
  expect(story.last?.kind).toBe('close');
});

function mergeOn(story: Story): void {
  switch (story.worker.merge.accept?.step) {
    case 'rebase':
      return void story.rebased({ base: 'b', head: 'c' });
    case 'validate':
      return void story.valid();
    case 'squash':
      return void story.squashed('d', 'b');
    case 'fast-forward':
      return void story.answer({ kind: 'merged', commit: 'd' });
    case 'close':
      return void story.answer({ kind: 'closed' });
    default:
      return void story.answer({ kind: 'recycled', base: 'd' });
  }
}

/** A merge at one of its steps. */
function merging(step: AcceptStep): Story {
  const story = inReview().accepted();
  const answers = [() => story.rebased(), () => story.valid(), () => story.squashed('bbbb')];
  for (const answer of answers) if (story.worker.merge.accept?.step !== step) answer();
  expect(story.worker.merge.accept?.step).toBe(step);
  return story;
}
