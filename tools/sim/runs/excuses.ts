// Which edges need the schedules not reach, and why? Each has a test of its own elsewhere.

/** By the name of the edge: what makes it impossible in the simulation, and where it is tested. */
export const EXCUSES: ReadonlyMap<string, string> = new Map([
  [
    'accept:unnamed',
    'no machine acts on another commit than the one that a step of a merge names, and says so; stories have it (decide/reviewed.test.ts, a machine that acted on something else)',
  ],
  [
    'machine-removed',
    'no operator takes a machine out while schedules run; a test of its own has it (decide/machine-removed.test.ts)',
  ],
  [
    'misplaced:*:*',
    'no machine answers an order with the result of another; the properties of every rule have them (decide/rules.property.test.ts)',
  ],
  [
    'not-merging:*',
    'a merge that is given up while the machine carries out a step of it; the properties of every rule have it (decide/rules.property.test.ts)',
  ],
]);
