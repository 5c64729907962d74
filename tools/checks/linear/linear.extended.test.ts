/** Texts of strangers take linear time: no expression of the product grows faster than its text. */
import { BUILT_IN_PROFILES, slowTextFor } from '@drover/screen';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseSource, type Source } from '../source/source.ts';
import { constructedBy, constructionsIn, literalsIn, productSources } from './expressions.ts';
import type { Expression } from './expressions.ts';

/** Files that construct an expression from what they are given: patterns of users, which are checked when they are loaded, and single characters. */
const ANY_PATTERN = ['packages/screen/src/profile/screen.ts', 'packages/screen/src/growth/matcher.ts'];

let sources: readonly Source[];
beforeAll(() => {
  sources = productSources();
});
// A hundred megabytes, in a process that other files share.
afterAll(() => {
  sources = [];
});

function slowOnes(expressions: readonly Expression[]): readonly string[] {
  const known = new Map<string, string | null>();
  return expressions.flatMap(({ at, expression }) => {
    const key = String(expression);
    if (!known.has(key)) {
      const slow = slowTextFor(expression);
      known.set(key, slow && `${key} on ${JSON.stringify(slow.text)}… takes ${slow.steps.join(', then ')} steps`);
    }
    const words = known.get(key);
    return words === null || words === undefined ? [] : [`${at}: ${words}`];
  });
}

test('given every expression that is written in the product, when its text becomes twice as long, then its steps grow at most threefold', () => {
  const expressions = sources.flatMap(literalsIn);

  expect(expressions.length).toBeGreaterThan(400);
  expect(slowOnes(expressions)).toEqual([]);
});

test('given every file that constructs expressions, when it is loaded, then each line constructs them at once and none is slow', async () => {
  const constructing = sources
    .filter(({ file }) => !ANY_PATTERN.includes(file))
    .map((source) => ({ source, lines: constructionsIn(source) }))
    .filter((one) => one.lines.length > 0);
  const lines = constructing.flatMap((one) => one.lines);
  const constructed: Expression[] = [];
  for (const { source } of constructing) constructed.push(...(await constructedBy(source)));

  const seen = new Set(constructed.map(({ at }) => at));
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter((line) => !seen.has(line))).toEqual([]);
  expect(slowOnes(constructed)).toEqual([]);
});

test('given the profiles of the build, when a row becomes twice as long, then the steps of each pattern grow at most threefold', () => {
  const patterns = [...BUILT_IN_PROFILES].flatMap(([id, profile]) => patternsIn(profile, id));

  expect(patterns.length).toBeGreaterThan(100);
  expect(slowOnes(patterns)).toEqual([]);
});

test.each(['new RegExp(`a${b}`)', "RegExp('a')", "const f = () => new globalThis.RegExp('a', 'u')"])(
  'given a file with %s, when it is read, then that line is found',
  (text) => {
    expect(constructionsIn(parseSource('packages/core/src/a.ts', text))).toEqual(['packages/core/src/a.ts:1']);
  },
);

function patternsIn(part: unknown, at: string): readonly Expression[] {
  if (part instanceof RegExp) return [{ at, expression: part }];
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => patternsIn(value, `${at}.${key}`));
}
