/** Recovers by another machine: if a worker's own machine cannot go on, the worker moves with its work. */
import { describe, expect, test } from 'vitest';
import type { CommandResult } from '../../machine/commands.ts';
import { BUSY, READY, working } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

const HERE = { id: 'm1', name: 'one' };
const [TWO, THREE] = [
  { id: 'm2', name: 'two' },
  { id: 'm3', name: 'three' },
];
const NO_SESSION: CommandResult = { kind: 'failed', code: 'server-busy', message: 'no server', retry: false };
const FROZEN: CommandResult = { kind: 'frozen', commit: 'saved' };
const RESTORED: CommandResult = { kind: 'restored', head: 'aaaa', saved: null };

/** Loses the session, and fails to make another. */
function stranded(others = [TWO, THREE]): Story {
  const story = working();
  story.elsewhere = { here: HERE, others };
  return story.hear({ kind: 'panes-listed', pane: null }).answer(NO_SESSION);
}

function next(story: Story): Story {
  return story.worker.deadlines.hold === undefined ? story : story.pass('hold');
}

function triedBy({ worker }: Story): readonly string[] {
  return (worker.incident.open?.tried ?? []).map((one) => (one.kind === 'other-machine' ? one.to.name : one.kind));
}

describe('another machine', () => {
  test('given a machine that can make no session, when another is free, then the worker goes on there with work and conversation, and nobody is asked', () => {
    const given = stranded();
    const talk = given.worker.session.conversation?.id;
    const chosen = given.records;
    const { note } = given.worker.lifecycle;

    next(given).answer(FROZEN);
    const { move } = given.worker;
    if (move.kind !== 'carrying') throw new Error(`Expected it to be carried, got "${move.kind}"`);
    given.hear({ kind: 'move-carried', move: move.route.id, fresh: null }).answer(RESTORED).answer({ kind: 'let-in' });
    const launch = given.last;
    given.opened().see(READY).delivered().see(BUSY);

    expect(chosen).toContainEqual(
      expect.objectContaining({
        kind: 'recovery',
        alternative: { kind: 'other-machine', to: TWO },
        strategy: 'substitute',
      }),
    );
    expect(note).toMatch(/^left "one": /u);
    expect(launch).toMatchObject({ kind: 'open', launch: { kind: 'resume', conversation: talk } });
    expect(given.worker).toMatchObject({ lifecycle: { status: 'working' }, move: { kind: 'none' } });
    expect(given.worker.incident.open?.escalated ?? false).toBe(false);
  });

  test('given no machine that takes it, when its own can make no session, then a person is asked as before', () => {
    const given = stranded([]);

    expect(given.worker).toMatchObject({ lifecycle: { status: 'error' }, move: { kind: 'none' } });
    expect(given.worker.incident.open?.escalated).toBe(true);
  });

  test('given a machine that does not take it, when it comes back, then the next is tried, and then a person is asked: each once', () => {
    const given = stranded();
    for (const name of ['two', 'three']) {
      next(given).answer(FROZEN);
      const { move } = given.worker;
      if (move.kind !== 'carrying') throw new Error(`Expected it to be carried, got "${move.kind}"`);
      expect(move.route.to.name).toBe(name);
      given.hear({ kind: 'move-not-carried', move: move.route.id, why: 'the disk is full' }).answer({ kind: 'let-in' });
    }

    expect(triedBy(given)).toEqual(['two', 'three']);
    expect(given.worker).toMatchObject({ lifecycle: { status: 'error' }, move: { kind: 'none' } });
    expect(given.worker.incident.open?.escalated).toBe(true);
  });

  test('given a place that something cannot leave, when it was to be frozen, then the worker stays, and the next way is taken', () => {
    const given = stranded([TWO]);

    next(given).answer({ kind: 'failed', code: 'not-saved', message: 'movie.mp4 is too large', retry: false });

    expect(given.worker).toMatchObject({ lifecycle: { status: 'error' }, move: { kind: 'none' } });
    expect(given.worker.incident.open?.escalated).toBe(true);
  });

  test('given an agent that fails on the other machine too, when it is back, then its question stays open and nothing is begun', () => {
    const given = stranded([TWO]);
    next(given).answer(FROZEN);
    const { move } = given.worker;
    if (move.kind !== 'carrying') throw new Error(`Expected it to be carried, got "${move.kind}"`);
    given.hear({ kind: 'move-carried', move: move.route.id, fresh: null }).answer(RESTORED).answer({ kind: 'let-in' });
    given.answer(NO_SESSION);
    const asked = given.worker.incident.open?.escalated;
    next(given).answer({ kind: 'frozen', commit: null }).answer({ kind: 'let-in' });
    const before = given.commands.length;
    for (const name of ['hold', 'check'] as const) if (given.worker.deadlines[name] !== undefined) given.pass(name);

    expect(asked).toBe(true);
    expect(given.worker).toMatchObject({ lifecycle: { status: 'error' }, move: { kind: 'none' } });
    expect(given.worker.incident.open?.escalated).toBe(true);
    expect(given.commands.slice(before).map(({ kind }) => kind)).toEqual([]);
  });

  test('given an agent that lives, when a text cannot be typed there, then it is not ended for a move', () => {
    const story = working();
    story.elsewhere = { here: HERE, others: [TWO] };
    story.see(READY).hear({ kind: 'message-requested', id: 'x', text: 'and this' });

    story.answer(NO_SESSION);

    expect(story.worker.move.kind).toBe('none');
    expect(story.commands.map(({ kind }) => kind)).not.toContain('close');
  });

  test('given a worker that a person has taken over, when its session is gone, then it is not moved', () => {
    const story = working();
    story.elsewhere = { here: HERE, others: [TWO] };
    story.change({ lifecycle: { takenOver: true } });

    story.hear({ kind: 'panes-listed', pane: null }).answer(NO_SESSION);

    expect(story.worker.move.kind).toBe('none');
  });
});
