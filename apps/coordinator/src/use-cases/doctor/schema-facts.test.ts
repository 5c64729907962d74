/** Is a schema that is not the build's own told by name? */
import type { SchemaFacts } from '@drover/store';
import { expect, test } from 'vitest';
import { examineSchemaFacts } from './rows.ts';

test.each<[keyof SchemaFacts, string, RegExp]>([
  ['missing', '0009_new.sql', /restart the coordinator/],
  ['strange', '0099_other.sql', /newest build/],
  ['untrusted', 'events_order', /reindex index events_order/],
])(
  'given a schema in which something is %s, when it is examined, then it is a problem by its name',
  (what, name, help) => {
    const facts: SchemaFacts = { applied: 8, missing: [], strange: [], untrusted: [], [what]: [name] };

    expect(examineSchemaFacts(facts)).toMatchObject([
      { level: 'problem', about: name, help: expect.stringMatching(help) },
    ]);
    expect(examineSchemaFacts({ ...facts, [what]: [] })).toMatchObject([{ level: 'ok' }]);
  },
);
