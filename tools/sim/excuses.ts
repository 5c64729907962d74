// Which edges need the schedules not reach, and why? Each has a test of its own elsewhere.

const RARE = 'a story in decide/rare.test.ts reaches it';

/** By the name of the edge: what keeps it out of the simulation, and where it is tested. */
export const EXCUSES: ReadonlyMap<string, string> = new Map([
  ['needs_review → needs_input', 'ordered by drover doctor; tested with it'],
  ['repair:*', 'ordered by drover doctor; tested in doctor.test.ts and decide/repair.test.ts'],
  ['account:no-word', 'the news of an account is never lost here; ' + RARE],
  ['start-up:while-merging', 'takes a crash, a restart without a prompt and an accept within its minute; ' + RARE],
  ['needs_input → rebasing', 'takes a rejection and a question while a rebase is under way; ' + RARE],
  ['error → needs_review', 'takes a session that cannot be opened again just while its work waits for review; ' + RARE],
  ['error → rebasing', 'takes a rebase that ends in error and a person who says to try again; ' + RARE],
  [
    'tool-failed:no-task',
    'takes an accept within the seconds in which a hook tells of its last turn; tested in decide/tool-failed.test.ts',
  ],
  ['needs_review → error', 'takes three crashes of an agent that has nothing to do; ' + RARE],
  [
    'doubt:blind',
    'an agent that sees a pane and cannot read its screen answers that the look failed; tested in decide/alternatives.test.ts',
  ],
  [
    'misplaced:*:*',
    'no machine answers an order with the result of another; the property of totality has them (decide/rules.property.test.ts)',
  ],
]);
