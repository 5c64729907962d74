/** A session that is gone from its machine, or that the row does not know of. */
import { describe, expect, test } from 'vitest';
import { BUSY, inReview, READY, working } from '../../testing/story.ts';
import type { Story } from '../../testing/story.ts';

describe('session gone', () => {
  test('given a task, when the machine has no session of it any more, then it is opened again and the task restored', () => {
    const story = working().hear({ kind: 'panes-listed', pane: null });
    expect(story.worker.lifecycle.status).toBe('offline');
    expect(story.last).toMatchObject({ kind: 'open', launch: { kind: 'resume' } });

    story.opened().see(READY);

    expect(story.worker.lifecycle.status).toBe('working');
    expect(story.last).toMatchObject({ kind: 'deliver' });
  });

  test.each([
    [true, 'its machine restarted, and its session is gone'],
    [undefined, 'its session is gone'],
  ] as const)(
    'given a task, when the machine has no session of it and has restarted: %s, then why it is offline is told',
    (hasRestarted, why) => {
      const story = working().hear({ kind: 'panes-listed', pane: null, ...(hasRestarted && { hasRestarted }) });

      expect(story.worker.lifecycle).toMatchObject({ status: 'offline', note: why });
      expect(story.worker.incident.open).toMatchObject({ code: 'SESSION_ORPHANED', why });
      expect(story.last).toMatchObject({ kind: 'open', launch: { kind: 'resume' } });
    },
  );

  test('given work in review, when its session is gone, then it waits for review again and nothing is typed', () => {
    const story = inReview().hear({ kind: 'panes-listed', pane: null }).opened().see(READY);

    expect(story.worker.lifecycle.status).toBe('needs_review');
    expect(story.worker.command.inFlight).toBeNull();
  });
});

test('given a turn that is to be judged, when its pane turns out to be gone, then the session is opened and nothing is judged', () => {
  const story = working()
    .exit(1)
    .pass('restart')
    .change({ turn: { judgeDue: true } });

  story.answer({ kind: 'pane-gone' });

  expect(story.worker.turn).toMatchObject({ phase: { kind: 'none' }, judgeDue: false });
  expect(story.last).toMatchObject({ kind: 'open' });
});

describe('a session that the row knows nothing of', () => {
  const incarnation = '1.1.%1.1';

  test('given an agent at work in it, when the machine lists it, then it is taken over and nothing is given again', () => {
    const story = unknowing()
      .hear({ kind: 'panes-listed', pane: { incarnation, dead: false } })
      .see(BUSY);

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'working' },
      session: { pane: { kind: 'up', incarnation } },
      mailbox: { restoreDue: false },
    });
    expect(story.commands.filter(({ kind }) => kind === 'deliver')).toHaveLength(1);
  });

  test('given that its program has ended, when the machine lists it, then it is started again and its task is given again', () => {
    const story = unknowing().hear({ kind: 'panes-listed', pane: { incarnation, dead: true } });
    expect(story.last).toMatchObject({ kind: 'respawn' });

    story.opened().see(READY);

    expect(story.last).toMatchObject({ kind: 'deliver', text: expect.stringContaining('cut off') });
  });
});

/** Restores a backup of the database, whose row knows nothing of its session. */
function unknowing(): Story {
  const story = working();
  return story.change({ session: { pane: { kind: 'absent' } }, deadlines: {} });
}
