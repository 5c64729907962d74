// Which edges need the schedules not reach, and why? Each has a test of its own elsewhere.

/** By the name of the edge: what makes it impossible in the simulation, and where it is tested. */
export const EXCUSES: ReadonlyMap<string, string> = new Map([
  [
    'misplaced:*:*',
    'no machine answers an order with the result of another; the property of totality has them (decide/rules.property.test.ts)',
  ],
]);
