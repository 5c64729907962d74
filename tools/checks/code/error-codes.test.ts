// Checks that every error code of the taxonomy is raised somewhere, and tested.
import { expect, test } from 'vitest';
import { parseSource } from '../source/source.ts';
import { unprovenCodes } from './error-codes.ts';

const TEST = parseSource('packages/core/src/a.test.ts', `expect(code).toBe('LOST');`);

test.each([
  ['a value', 'packages/core/src/recovery/crash.ts', `report('LOST');`],
  ['a value of a map', 'packages/core/src/errors.ts', `const BY_NAME = { ENOENT: 'LOST' };`],
  ['one of two values', 'apps/coordinator/src/a.ts', `const code = isLost ? 'LOST' : 'FOUND';`],
])('given a code as %s in product code, when it is looked for, then something raises it', (_, file, text) => {
  expect(unprovenCodes(['LOST'], [parseSource(file, text), TEST])).toEqual({ neverRaised: [], neverTested: [] });
});

test.each([
  ['in its row of the taxonomy', 'packages/core/src/taxonomy/agent-errors.ts', `const a = ['LOST'];`],
  ['in a table of plans', 'packages/core/src/recovery/plans.ts', `const a = ['LOST'];`],
  ['as a key', 'packages/core/src/a.ts', `const a = { LOST: 1, 'LOST': 2 };`],
  ['as a type', 'packages/core/src/a.ts', `type A = 'LOST';`],
  ['in a comparison', 'packages/core/src/a.ts', `const a = code === 'LOST';`],
  ['as a case', 'packages/core/src/a.ts', `switch (code) { case 'LOST': stop(); }`],
  ['in what simulates other programs', 'packages/testkit/src/a.ts', `report('LOST');`],
  ['in tools', 'tools/sim/a.ts', `report('LOST');`],
])('given a code only %s, when it is looked for, then nothing raises it', (_, file, text) => {
  expect(unprovenCodes(['LOST'], [parseSource(file, text), TEST]).neverRaised).toEqual(['LOST']);
});

test('given a code that no test names, when it is looked for, then it is not tested', () => {
  const product = parseSource('packages/core/src/a.ts', `report('LOST');`);

  expect(unprovenCodes(['LOST'], [product])).toEqual({ neverRaised: [], neverTested: ['LOST'] });
});
