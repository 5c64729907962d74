/** A machine that is silent, that speaks again, or that is removed. */
import { describe, expect, test } from 'vitest';
import { BUSY, idle, working } from '../../testing/story.ts';

test.each([
  ['idle', idle],
  ['at work', working],
])(
  'given a worker that is %s, when its machine is removed, then it is forgotten and no command is given',
  (_, begin) => {
    const story = begin();
    const before = [story.commands.length, story.saves.length];

    story.hear({ kind: 'machine-removed' });

    expect([story.commands.length, story.saves.length]).toEqual(before);
    expect(story.records).toEqual([{ kind: 'gone' }]);
    expect(story.rules).toEqual(['machine-removed']);
  },
);

test('given a worker that holds the turn to merge, when its machine is removed, then the turn is free', () => {
  const story = idle();
  story.lease = 'mine';

  story.hear({ kind: 'machine-removed' });

  expect(story.records).toEqual([{ kind: 'lease', action: 'release' }, { kind: 'gone' }]);
});

describe('a machine that is lost', () => {
  test('given a task, when the machine is silent for too long, then a person is asked, and nothing is replaced', () => {
    const story = working().hear({ kind: 'machine-lost', silentMs: 900_000 });

    expect(story.worker).toMatchObject({
      lifecycle: { status: 'working' },
      incident: { open: { code: 'MACHINE_LOST', escalated: true } },
    });
    story.hear({ kind: 'machine-lost', silentMs: 960_000 });
    expect(story.records).toEqual([]);
  });

  test('given a lease of seconds, when the machine is silent beyond it, then the seconds are told', () => {
    const story = working().hear({ kind: 'machine-lost', silentMs: 6_400 });

    expect(story.worker.incident.open?.why).toContain('silent for 6 s');
  });

  test('given a lost machine, when it speaks again, then the incident is over', () => {
    const story = working().hear({ kind: 'machine-lost', silentMs: 900_000 }).see(BUSY);

    expect(story.worker.incident.open).toBeNull();
    expect(story.records).toContainEqual(expect.objectContaining({ kind: 'recovered', code: 'MACHINE_LOST' }));
  });
});
