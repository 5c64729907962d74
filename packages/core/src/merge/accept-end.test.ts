/** Proves that the decision that ends an accept records its outcome. */
import { expect, test } from 'vitest';
import type { DecisionRecord } from '../decision/records.ts';
import { inReview } from '../testing/story.ts';
import type { Story } from '../testing/story.ts';

const CULPRIT = { kind: 'train-culprit', command: 'make', output: 'no rule', before: ['zoe'] } as const;
const BOARDED = { kind: 'train-boarded', conductor: { id: 'z', name: 'zoe', place: 2, of: 2 } } as const;
const MOVED_ON = { kind: 'changed', head: 'ffff', why: 'a commit came after it' } as const;

test.each<[string, string, RegExp, (story: Story) => Story]>([
  [
    'is merged',
    'merged',
    /^its work was merged$/u,
    (story) => story.candidate().published().answer({ kind: 'closed' }).answer({ kind: 'recycled', base: 'cccc' }),
  ],
  [
    'is handed over as a branch',
    'offered',
    /^published as branch "b"/u,
    (story) => story.candidate().answer({ kind: 'offered', commit: 'bbbb on aaaa', branch: 'b', why: '' }),
  ],
  ['conflicts', 'stopped', /^not merged: it conflicts/u, (story) => story.clash()],
  ['is at another commit by now', 'stopped', /^not merged: a commit came after it/u, (story) => story.answer(MOVED_ON)],
  [
    'is rejected before its turn',
    'stopped',
    /^sent back with feedback$/u,
    (story) => story.hear({ kind: 'reject-requested', id: 'r', text: 'no' }),
  ],
  [
    'breaks the checks in a train',
    'stopped',
    /^sent back to its agent: the check "make" fails with its work, and passes with that of zoe before it$/u,
    (story) => story.hear(BOARDED).hear(CULPRIT),
  ],
])('given accepted work, when it %s, then the decision says that the accept is %s, once', (_, how, why, play) => {
  const story = inReview();
  const waits = why.source.includes('sent back');
  story.lease = waits ? 'other' : 'free';
  const ends: DecisionRecord[] = [];
  const hear = story.hear.bind(story);
  story.hear = (event) => {
    hear(event);
    ends.push(...story.records.filter(({ kind }) => kind === 'accept-ended'));
    return story;
  };

  play(story.accepted());

  expect(ends).toEqual([{ kind: 'accept-ended', how, why: expect.stringMatching(why) }]);
});
