// Which edges need the schedules not reach, and why? Each has a test of its own elsewhere.

/** By the name of the edge: what keeps it out of the simulation, and where it is tested. */
export const EXCUSES: ReadonlyMap<string, string> = new Map([
  ['needs_review → needs_input', 'ordered by drover doctor; tested with it'],
  ['repair:*', 'ordered by drover doctor; tested in doctor.test.ts and decide/repair.test.ts'],
  [
    'misplaced:*:*',
    'no machine answers an order with the result of another; the property of totality has them (decide/rules.property.test.ts)',
  ],
]);
