/** Tests what must hold of the git flow, over random histories on real git. `main.ts` beside this plays thousands, by hand. */
import { expect, test } from 'vitest';
import { FAULTS } from './faults.ts';
import { playHistories } from './history.ts';

/** Deadline of a history, which takes some seventy git processes, on a machine that does other things too. */
const SLOW = { timeout: 600_000 } as const;

test(
  'given random work of an agent and of people, when it goes its way, then main holds what was reviewed, and nothing is lost',
  SLOW,
  async () => {
    const tally = await playHistories({ seed: 11, count: 16 });

    expect(tally.get('merged')).toBeGreaterThan(3);
  },
);

test.each(['the files of the source do not follow', 'the candidate has the files of the work alone'])(
  'given a build in which %s, when histories are played, then one of them finds it',
  SLOW,
  async (what) => {
    await expect(playHistories({ seed: 11, count: 16, flow: FAULTS[what] })).rejects.toThrow(/G1|G2/u);
  },
);

// `main.ts --faults` has all of them, and more histories for each.
test.each([
  ['the branch moves whatever it is at', /G4/u],
  ['commits that came after the review are not counted', /G6/u],
  ['the time of the machine is in the candidate', /G11/u],
])('given a build in which %s, when one history is played, then it finds it', SLOW, async (what, promise) => {
  await expect(playHistories({ seed: 956_925, count: 1, flow: FAULTS[what] })).rejects.toThrow(promise);
});
