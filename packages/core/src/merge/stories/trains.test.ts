/** Covers the other events of accepted work: a broken default branch, a silent machine, another worker's train. */
import { describe, expect, test } from 'vitest';
import type { CommandResult } from '../../machine/commands.ts';
import { candidateOf, inReview } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

const BOARDED = { kind: 'train-boarded', conductor: { id: 'z', name: 'zoe', place: 2, of: 3 } } as const;

describe('a default branch that is broken', () => {
  const invalid = { kind: 'invalid', command: 'make', output: 'no' } as const;

  /** Fails the candidate, and twice the default branch alone. */
  function red(): Story {
    return inReview()
      .accepted()
      .candidate({ base: 'dddd', tree: 'new' })
      .answer(invalid)
      .answer(invalid)
      .answer(invalid);
  }

  test('given a base that fails the checks by itself, when work is accepted, then nobody is blamed, people are told once and it waits', () => {
    const story = red();

    expect(story.records.filter(({ kind }) => kind === 'notice')).toHaveLength(1);
    expect(story.worker).toMatchObject({
      lifecycle: { status: 'needs_review' },
      merge: { step: { kind: 'waiting' } },
    });
    const runs = story.commands.filter(({ kind }) => kind === 'validate').length;
    story.pass('accept').candidate({ base: 'dddd', tree: 'new' });
    expect(story.records.filter(({ kind }) => kind === 'notice')).toEqual([]);
    expect(story.commands.filter(({ kind }) => kind === 'validate')).toHaveLength(runs);
  });

  test('given accepted work that waits for a broken base, when the default branch moves, then it takes its turn at once', () => {
    const story = red().hear({ kind: 'default-branch-moved' });
    expect(story.last).toMatchObject({ kind: 'candidate' });

    story
      .candidate({ base: 'eeee', tree: 'newer' })
      .answer({ kind: 'valid', head: 'bbbb on eeee', tree: 'newer', checks: 'make' });

    expect(story.last).toMatchObject({ kind: 'publish', base: 'eeee' });
  });

  test('given a check that was itself at fault, when a person accepts again, then the checks run again on the same files', () => {
    const story = red();
    const runs = story.commands.filter(({ kind }) => kind === 'validate').length;

    story.accepted().candidate({ base: 'dddd', tree: 'new' });

    expect(story.commands.filter(({ kind }) => kind === 'validate')).toHaveLength(runs + 1);
  });

  test('given accepted work that waits for its turn, when a person sends it back, then the accept is taken back', () => {
    const story = red().hear({ kind: 'reject-requested', id: 'r', text: 'not like that' });

    expect(story.reply.kind).toBe('accepted');
    expect(story.worker).toMatchObject({ lifecycle: { status: 'rejected' }, merge: { step: { kind: 'none' } } });
  });
});

describe('a machine that is silent for too long', () => {
  test('given a merge on it, when its lease ends, then another may merge, and what it published late still counts', () => {
    const story = inReview().accepted();
    story.lease = 'mine';
    story.candidate();

    story.hear({ kind: 'machine-lost', silentMs: 90_000 });
    expect(story.records).toContainEqual({ kind: 'lease', action: 'release' });
    story.lease = 'other';
    story.published();

    expect(story.worker.merge.step).toMatchObject({ kind: 'closing' });
  });

  test('given a merge on it, when another merges by the time that it answers, then its turn comes again', () => {
    const story = inReview().accepted();
    story.lease = 'mine';
    story.hear({ kind: 'machine-lost', silentMs: 90_000 });
    story.lease = 'other';

    story.candidate();

    expect(story.worker).toMatchObject({ merge: { step: { kind: 'waiting' } }, command: { inFlight: null } });
  });
});

describe('aboard the train of another', () => {
  test('given a person who wants it otherwise meanwhile, then the request is refused, as while it is merged', () => {
    expect(aboard().hear({ kind: 'reject-requested', id: 'r', text: 'no' }).reply).toMatchObject({ code: 'accepting' });
    expect(aboard().hear({ kind: 'nuke-requested', force: true }).reply).toMatchObject({ code: 'accepting' });
  });

  test('given a train that landed, when its own commit is proven, then its task ends as accepted', () => {
    const story = aboard().hear({ kind: 'train-landed', commit: 'dddd' });

    story
      .answer({ kind: 'proven', commit: 'dddd' })
      .answer({ kind: 'closed' })
      .answer({ kind: 'recycled', base: 'eeee' });

    expect(story.records).toContainEqual({ kind: 'task', id: 't1', status: 'accepted' });
    expect(story.worker.lifecycle).toMatchObject({ status: 'idle', note: 'its work was merged' });
  });

  test('given a train that goes without it because of its work, then its agent gets the output and the names before it', () => {
    const story = aboard().hear({ kind: 'train-culprit', command: 'make', output: 'no rule', before: ['zoe', 'yan'] });

    expect(story.worker).toMatchObject({ lifecycle: { status: 'working' }, merge: { step: { kind: 'none' } } });
    const text = story.worker.mailbox.current?.text ?? '';
    expect(text).toMatch(/zoe, yan/u);
    expect(text).toContain('no rule');
  });

  test('given a conductor that is gone, when it looks again, then it waits for its turn again', () => {
    const story = aboard();
    story.isAboard = false;

    story.pass('accept');

    expect(story.rules).toContain('train:lost');
    expect(story.worker.merge.step.kind).toBe('waiting');
  });

  test('R8: given a conductor that is gone, when a look at it is repeated at once, then the turn comes with a later look', () => {
    const story = aboard();
    story.isAboard = false;
    story.lease = 'free';
    story.pass('accept').hear({ kind: 'deadline-expired', name: 'accept' });

    expect(story.worker.command.inFlight).toBeNull();
    story.pass('accept');
    expect(story.worker.command.inFlight?.command.kind).toBe('candidate');
  });
});

test('given a worker that was taken down aboard the train of another, when its conductor is gone, then its session is closed', () => {
  const story = aboard().hear({ kind: 'down-requested' });
  story.isAboard = false;

  story.pass('accept');

  expect(story.last?.kind).toBe('close');
});

test('given its session is being started again, when it comes aboard of a train first, then the session is its own and it stays aboard', () => {
  const story = inReview().exit(7).pass('restart');
  expect(story.last?.kind).toBe('respawn');
  story.lease = 'other';
  story.accepted().hear(BOARDED).opened();

  expect(story.worker.session.pane).toMatchObject({ kind: 'starting' });
  expect(story.worker.merge.step).toMatchObject({ kind: 'aboard' });
});

test.each<CommandResult>([
  candidateOf('bbbb', 'dddd'),
  { kind: 'failed', code: 'git-failed', message: 'no', retry: false },
  { kind: 'unknown', why: 'its machine agent died' },
])(
  'given a candidate for its review is being made, when it comes aboard of a train before $kind is heard, then it stays aboard',
  (result) => {
    const story = inReview().hear({ kind: 'default-branch-moved' });
    expect(story.last?.kind).toBe('candidate');
    story.lease = 'other';
    story.accepted().hear(BOARDED).answer(result);

    expect(story.worker.merge.step).toMatchObject({ kind: 'aboard' });
  },
);

function aboard(): Story {
  const story = inReview();
  story.lease = 'other';
  return story.accepted().hear(BOARDED);
}
