/** Checks that nothing crosses the wire without a maximum. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import * as protocol from './index.ts';
import { unboundedExports, unboundedParts } from './testing/unbounded.ts';

test('given every schema of the protocol, when it is walked, then each string and list has a maximum', () => {
  expect(unboundedExports(protocol)).toEqual([]);
});

test('given schemas with strings and lists without a maximum, when they are walked, then each is found', () => {
  const schema = z.object({
    id: z.uuid(),
    fine: z.string().max(5).optional(),
    name: z.string().nullable().default(null),
    list: z.array(z.union([z.string().max(1), z.object({ deep: z.string().transform((text) => text.length) })])),
    record: z.record(z.string().max(1), z.array(z.number()).max(3).readonly()),
  });

  expect(unboundedParts(schema)).toEqual(['.name (string)', '.list (array)', '.list[].deep (string)']);
});
