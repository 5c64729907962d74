// Lists the edges that the schedules need not reach, and why. Each has a test of its own elsewhere.

/** Excuses by the name of the edge: what makes it impossible in the simulation, and where it is tested. */
export const EXCUSES: ReadonlyMap<string, string> = new Map([
  [
    'alternative:other-profile',
    'the policy of schedules names no substitutes; a scenario on real parts has it (apps/cli/tests/recovery/sessions/alternatives.nightly.test.ts), and so have the properties of every rule',
  ],
  [
    'accept:unnamed',
    'no machine acts on another commit than the one that a step of a merge names, and says so; stories have it (packages/core/src/merge/stories/reviewed.test.ts, a machine that acted on something else)',
  ],
  [
    'accept:rejected',
    'the simulated place of the default branch refuses nothing; stories have it (packages/core/src/merge/stories/accept.test.ts)',
  ],
  [
    'review:stopped',
    'no worktree is another one each time that its candidate is made; stories have it (packages/core/src/merge/stories/review.test.ts)',
  ],
  [
    'review:checks-cannot-run',
    'a simulated check never lacks its program; stories have it (packages/core/src/merge/stories/review.test.ts), and a real machine (apps/machine-agent/tests/worktrees/checks.test.ts)',
  ],
  [
    'lacks-supplies',
    'a simulated worktree lacks nothing beside its commits; stories have it (packages/core/src/events/stories/place/supplies.test.ts)',
  ],
  [
    'set-up',
    'a simulated project sets no place up; stories have it (packages/core/src/events/stories/place/set-up.test.ts)',
  ],
  ...['contained', 'lost-own', 'undone-others'].map((verdict): [string, string] => [
    `resolution:${verdict}`,
    'simulated commits hold no lines that could be lost; stories have it (packages/core/src/merge/stories/resolution.test.ts)',
  ]),
  [
    'machine-removed',
    'no operator takes a machine out while schedules run; a test of its own has it (packages/core/src/events/stories/machine.test.ts)',
  ],
  [
    'misplaced:*',
    'no machine answers a command with the result of another; the properties of every rule have them (packages/core/src/rules.property.test.ts)',
  ],
  [
    'not-merging:*',
    'a merge that is given up while the machine carries out a step of it; the properties of every rule have it (packages/core/src/rules.property.test.ts)',
  ],
  ...['accept:offered', 'accept:offer-merged', 'review:offer-merged'].map((edge): [string, string] => [
    edge,
    'no simulated project hands its work over as a branch; stories have it (packages/core/src/merge/stories/offered.test.ts)',
  ]),
  ...['accept:perhaps-published', 'train:lost', 'train:not-aboard'].map((edge): [string, string] => [
    edge,
    'a word about a train or a publication that comes when another has the lease is rarer than ten thousand schedules; whole trains with lost words are played by packages/core/src/merge/train.property.test.ts, and stories have it (packages/core/src/merge/stories/trains.test.ts, packages/core/src/merge/stories/accept.test.ts)',
  ]),
  [
    'asks-anew',
    'no simulated dialog changes its words alone; stories have it (packages/core/src/events/stories/dialog-words.test.ts)',
  ],
  [
    'clock-set-back',
    'clocks of simulated machines jump by seconds, as a time service steps them; stories have it (packages/core/src/events/stories/progress.test.ts)',
  ],
]);
