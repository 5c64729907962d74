import { expect, test } from 'vitest';
import { promptOf } from './revert.ts';

test('given a commit, when it is to be undone, then the task names it as git knows it', () => {
  expect(promptOf('1A2B3C4')).toContain('git revert --no-edit 1a2b3c4');
});

test.each(['adam', '12345', 'HEAD~1', '1a2b3c4; rm -rf .', 'g'.repeat(40), '1'.repeat(65)])(
  'given "%s", which is no commit, when it is to be undone, then it is refused with advice',
  (word) => {
    expect(() => promptOf(word)).toThrow(/is not a commit: name it by at least its first 7 characters/);
  },
);
