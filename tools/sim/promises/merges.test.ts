// Checks that the check of merges sees work that comes back though nobody wants it any more.
import { expect, test } from 'vitest';
import { watched } from './watched.ts';

test('given work that somebody took out of the default branch, when it comes back with the work of another, then the promise counts as broken', () => {
  const { checker, tally } = watched();
  for (const work of ['work-1', 'work-2']) checker.merges.noteReview('v', work);
  checker.merges.noteAcceptRequest('v');
  checker.worked('work-2', { projectId: 'p', workerId: 'v' });
  checker.merges.mainRewritten('kept', { projectId: 'p', dropped: ['work-1'] });

  checker.merged('v', { works: ['work-1', 'work-2'], tree: 'checked', projectId: 'p' });

  expect(tally.violation).toContain('work-1 was taken out of the default branch, and comes back unseen');
});

test('given work that somebody took out of the default branch, when it is looked at and accepted again, then the promise is kept', () => {
  const { checker, tally } = watched();
  for (let times = 0; times < 2; times += 1) {
    checker.merges.noteReview('w', 'work-1');
    checker.merges.noteAcceptRequest('w');
    checker.merged('w', { works: ['work-1'], tree: 'checked', projectId: 'p' });
    checker.merges.mainRewritten('kept', { projectId: 'p', dropped: ['work-1'] });
  }

  expect(tally.violation).toBeNull();
});

test('given work that was seen and accepted, when its task is cancelled and it is merged, then the promise counts as broken', () => {
  const { checker, tally } = watched();
  checker.merges.noteReview('w', 'work-1');
  checker.merges.noteAcceptRequest('w');
  checker.merges.noteCancel('w');

  checker.merged('w', { works: ['work-1'], tree: 'checked', projectId: 'p' });

  expect(tally.violation).toMatch(/merged unseen|without an accept/);
});

test('given work of one worker that is merged as that of another, as a shared stash makes it, then the promise counts as broken', () => {
  const { checker, tally } = watched();
  checker.worked('work-1', { projectId: 'p', workerId: 'v' });
  checker.merges.noteReview('w', 'work-1');
  checker.merges.noteAcceptRequest('w');

  checker.merged('w', { works: ['work-1'], tree: 'checked', projectId: 'p' });

  expect(tally.violation).toContain('w: work-1 is merged as its own, and v made it');
});

test('given work that names a repository which nobody has, when it is merged, then the promise counts as broken', () => {
  const { checker, tally } = watched();
  checker.merges.noteReview('w', 'hollow');
  checker.merges.noteAcceptRequest('w');

  checker.merged('w', { works: ['hollow'], tree: 'checked', projectId: 'p' });

  expect(tally.violation).toContain('hollow is merged, and what it names is nowhere');
});
