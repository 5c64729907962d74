/** A worker in error that is taken down and brought up again. */
import { describe, expect, test } from 'vitest';
import { Story, working } from '../../testing/story.ts';

describe('a worker in error that is taken down and brought up again', () => {
  test('given its program, when a person ends it before it came up, then the worker is in error again, and no person is asked twice', () => {
    const story = broughtBackUp().opened().exit(0);

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'error' },
      session: { pane: { kind: 'dead' } },
      incident: { open: { escalated: true } },
    });
    expect(story.records.map(({ kind }) => kind)).not.toContain('escalated');
  });

  test('given a session that cannot be opened, when that was said once, then it is not tried again by itself', () => {
    const story = broughtBackUp();
    const tried = story.commands.length;

    story.answer({ kind: 'failed', code: 'program-missing', message: 'it is not there', retry: false });

    expect(story.worker.lifecycle.status).toBe('error');
    expect(story.commands).toHaveLength(tried);
  });

  test('given that it is in error again, when a person says to try again, then it goes on with its task', () => {
    const story = broughtBackUp().opened().exit(0);

    const incident = story.worker.incident.open?.id ?? '';
    story.hear({ kind: 'escalation-answered', incident, option: 'retry', text: null, by: 'ada' });

    expect(story.worker.lifecycle.status).toBe('working');
    expect(story.last).toMatchObject({ kind: 'respawn' });
  });
});

/** Takes a worker in error down and up again, while its session is being opened. */
function broughtBackUp(): Story {
  const story = working().exit(101, null, ['panic: simulated']).hear({ kind: 'down-requested' });
  story.answer({ kind: 'closed' }).hear({ kind: 'up-requested' });
  expect(story.worker).toMatchObject({
    lifecycle: { status: 'offline', before: 'error' },
    incident: { open: { escalated: true } },
  });
  return story;
}
