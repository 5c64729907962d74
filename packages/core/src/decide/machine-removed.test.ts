import { expect, test } from 'vitest';
import { idle, working } from '../testing/story.ts';

test.each([
  ['idle', idle],
  ['at work', working],
])(
  'given a worker that is %s, when its machine is removed, then it is forgotten and nothing is ordered',
  (_, begin) => {
    const story = begin();
    const before = [story.ops.length, story.saves.length];

    story.hear({ kind: 'machine-removed' });

    expect([story.ops.length, story.saves.length]).toEqual(before);
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
