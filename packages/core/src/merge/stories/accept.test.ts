/** The steps of a merge, and its end when one of them fails. */
import { describe, expect, test } from 'vitest';
import type { CommandResult } from '../../machine/commands.ts';
import { inReview } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';
import type { WorkerStatus } from '../../worker/status.ts';
import { isAccepting } from '../step.ts';

const FULL: CommandResult = { kind: 'failed', code: 'disk-full', message: 'no space left', retry: true };

const SEEN = { head: 'bbbb', tree: null } as const;

describe('nothing to merge', () => {
  test('given commits that the default branch has already, when they are accepted, then the person is told and nothing ends', () => {
    const story = inReview().accepted().contained('cccc');

    expect(story.rules).toContain('accept:contained');
    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, merge: { step: { kind: 'none' } } });
    expect(story.worker.lifecycle.note).toMatch(/^not merged: the default branch already contains all of it/u);
  });

  test('given a person who knows that, when they accept it, then the worker is idle and the note says that nothing was merged', () => {
    const story = inReview().hear({ kind: 'accept-requested', pin: SEEN, nothing: true });

    story.contained('cccc').answer({ kind: 'closed' });
    const recycling = story.worker.command.inFlight?.command;
    story.answer({ kind: 'recycled', base: 'cccc' });

    expect(recycling).toEqual({ kind: 'recycle', commit: 'cccc', head: 'bbbb' });
    expect(story.records).toContainEqual({ kind: 'task', id: 't1', status: 'accepted' });
    expect(story.worker.lifecycle).toMatchObject({ status: 'idle', note: 'there was nothing to merge' });
  });

  test('given a person who thought that, when there is something to merge, then it is merged', () => {
    const story = inReview().hear({ kind: 'accept-requested', pin: SEEN, nothing: true }).candidate();

    expect(story.last?.kind).toBe('publish');
  });

  test('given a person who thought that, when its session cannot be closed once it is merged, then its note says that it is merged', () => {
    const story = inReview().hear({ kind: 'accept-requested', pin: SEEN, nothing: true }).candidate().published();

    story.answer({ kind: 'failed', code: 'bad-repo', message: 'no source', retry: false });

    expect(story.worker.lifecycle.note).toMatch(/^merged as bbbb on aaaa, but .*no source/u);
  });
});

test('given an accept while the candidate of the work is made, when that fails, then the accept asks for its own only after a pause', () => {
  const story = inReview().hear({ kind: 'default-branch-moved' });
  expect(story.last?.kind).toBe('candidate');
  story.hear({ kind: 'accept-requested', pin: SEEN, nothing: false });
  const before = story.commands.length;

  story.answer(FULL);

  expect(story.rules).toContain('not-merging:failed');
  expect(story.commands).toHaveLength(before);
});

describe('review', () => {
  test('given an accept, when every step answers, then the worker is free and the lease is given back', () => {
    const story = inReview().accepted();
    expect(story.records).toContainEqual({ kind: 'lease', action: 'acquire' });
    story.lease = 'mine';

    story.candidate().published();
    story.answer({ kind: 'closed' }).answer({ kind: 'recycled', base: 'dddd' });

    expect(story.records).toContainEqual({ kind: 'lease', action: 'release' });
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'idle' },
      merge: { step: { kind: 'none' } },
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

    expect(story.last).toMatchObject({ kind: 'candidate' });
  });

  const UNPROVEN = { kind: 'unproven', now: 'eeee' } as const;
  const blocked = { kind: 'blocked', why: 'commit or stash them' } as const;

  const invalid = { kind: 'invalid', command: 'make', output: 'no' } as const;

  test.each<[string, (story: Story) => Story, WorkerStatus]>([
    ['the source has uncommitted changes', (story) => story.candidate().answer(blocked), 'needs_review'],
    [
      'the place of the default branch refuses it',
      (story) => story.candidate().answer({ kind: 'rejected', words: 'protected branch' }),
      'needs_review',
    ],
    [
      'the default branch does not contain it in the end',
      (story) => story.candidate().answer({ kind: 'published', commit: 'bbbb on aaaa' }).answer(UNPROVEN),
      'needs_review',
    ],
    [
      'a check fails twice on it, and passes on the default branch alone',
      (story) => story.candidate({ base: 'dddd', tree: 'new' }).answer(invalid).valid().answer(invalid),
      'working',
    ],
    ['it conflicts', (story) => story.clash(), 'needs_review'],
  ])('given an accept, when %s, then nothing is merged and the lease is given back', (_what, play, status) => {
    const story = play(inReview().accepted());

    expect(story.worker).toMatchObject({ lifecycle: { status: status }, merge: { step: { kind: 'none' } } });
    expect(story.records).toContainEqual({ kind: 'lease', action: 'release' });
  });

  test('given the default branch moved meanwhile, when the publish says so, then its candidate is made and checked again', () => {
    const story = inReview().accepted().candidate();

    story.answer({ kind: 'moved', now: 'eeee' });
    expect(story.last).toMatchObject({ kind: 'candidate', at: SEEN });
    story.candidate({ base: 'eeee', tree: 'new' });

    expect(story.last).toMatchObject({ kind: 'validate', at: { tree: 'new' } });
  });

  test('given a default branch that moves each time, when it has moved five times, then a person is told', () => {
    const story = inReview().accepted();

    for (let time = 0; time < 5; time += 1) story.candidate().answer({ kind: 'moved', now: 'eeee' });

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, merge: { step: { kind: 'none' } } });
    expect(story.worker.lifecycle.note).toMatch(/moved 5 times/u);
  });

  test('given checks that passed on these files, when it is accepted, then they do not run again', () => {
    const story = inReview().accepted().candidate();

    expect(story.rules).toContain('accept:checked-before');
    expect(story.last?.kind).toBe('publish');
  });

  test('given checks that the project has changed since, when it is accepted, then they run again', () => {
    const story = inReview().accepted().candidate({ checks: 'make more' });

    expect(story.last?.kind).toBe('validate');
  });
});

describe('work that waits for review', () => {
  test('given an agent that is being started, when it shows no prompt while the work is merged, then it is not started again', () => {
    const story = inReview().exit(1).pass('restart').opened();
    story.lease = 'mine';
    story.accepted();
    expect(story.last).toMatchObject({ kind: 'candidate' });

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
      merge: { step: { kind: 'building' } },
    });
  });
});

test.each(['closing', 'recycling'])(
  'given work that is in the default branch, when "%s" fails for good, then its note does not say that it was not merged',
  (at) => {
    const story = inReview().accepted();
    while (story.worker.merge.step.kind !== at) mergeOn(story);

    story.answer({ kind: 'failed', code: 'bad-repo', message: 'no source', retry: false });

    expect(story.worker).toMatchObject({ lifecycle: { status: 'needs_review' }, merge: { step: { kind: 'none' } } });
    expect(story.worker.lifecycle.note).toMatch(/^merged as bbbb on aaaa, but .*no source.*"drover accept --nothing"/u);
  },
);

describe('taken down while its work is merged', () => {
  test.each(['building', 'checking', 'publishing', 'proving', 'closing', 'recycling'])(
    'given a merge at step "%s", when a person takes the worker down, then the merge ends and then the worker is down',
    (at) => {
      const story = inReview().accepted();
      while (story.worker.merge.step.kind !== at) mergeOn(story);

      story.hear({ kind: 'down-requested' });
      while (isAccepting(story.worker.merge.step)) mergeOn(story);

      expect(story.worker).toMatchObject({
        lifecycle: { status: 'offline', before: 'idle' },
        task: { kind: 'none' },
        session: { pane: { kind: 'absent' } },
      });
      expect(story.records).toContainEqual({ kind: 'lease', action: 'release' });
    },
  );
});

test('given a worker that was taken down, when another merges by the time that its candidate is made, then its session is closed', () => {
  const story = inReview().accepted().hear({ kind: 'down-requested' });
  story.lease = 'other';

  story.candidate();

  expect(story.last?.kind).toBe('close');
});

test('R2: given a merge whose closing fails for good, when it is stopped, then no command is given before its pause', () => {
  const story = inReview();
  story.lease = 'mine';
  story.accepted().candidate().published();
  story.answer(FULL).pass('hold').answer(FULL).pass('hold');
  expect(story.last).toEqual({ kind: 'close' });

  story.answer(FULL);

  expect(story.worker).toMatchObject({ merge: { step: { kind: 'none' } }, command: { inFlight: null } });
  expect(story.worker.deadlines.hold).toBeGreaterThan(story.now);
});

test('given a merge of a worker that was taken down, when a step of it cannot work, then it stops and the session is closed', () => {
  const story = inReview().accepted().hear({ kind: 'down-requested' });

  story.answer({ kind: 'failed', code: 'incomplete', message: 'the source is shallow', retry: false });

  expect(story.worker.merge.step.kind).toBe('none');
  expect(story.last?.kind).toBe('close');
});

test('given a machine with the repository that is away, when a merge needs it, then the merge waits for as long as that takes and says for whom', () => {
  const story = inReview();
  story.lease = 'mine';
  story.accepted();

  for (let times = 0; times < 30; times += 1) {
    story.answer({ kind: 'failed', code: 'home-away', message: 'it waits for "laptop"', retry: true });
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review', note: expect.stringContaining('laptop') },
      merge: { step: { kind: 'building' } },
      command: { inFlight: null, failures: 0 },
      incident: { open: null },
    });
    story.pass('hold');
    expect(story.last?.kind).toBe('candidate');
  }
});

function mergeOn(story: Story): void {
  switch (story.worker.merge.step.kind) {
    case 'building':
      return void story.candidate({ base: 'aaaa', tree: 'new' });
    case 'checking':
      return void story.answer({ kind: 'valid', head: 'bbbb on aaaa', tree: 'new', checks: 'make' });
    case 'publishing':
      return void story.answer({ kind: 'published', commit: 'bbbb on aaaa' });
    case 'proving':
      return void story.answer({ kind: 'proven', commit: 'bbbb on aaaa' });
    case 'closing':
      return void story.answer({ kind: 'closed' });
    default:
      return void story.answer({ kind: 'recycled', base: 'd' });
  }
}
