/** Names each difference of a schema from the build's own. */
import type { SchemaFacts } from '@drover/store';
import { expect, test } from 'vitest';
import { examineSchemaFacts } from './rows.ts';

const GOOD: SchemaFacts = { applied: 8, otherBuild: null, missing: [], strange: [], untrusted: [] };

test.each<[keyof SchemaFacts, string, RegExp]>([
  ['missing', '0009_new.sql', /restart the coordinator/],
  ['strange', '0099_other.sql', /newest build/],
  ['untrusted', 'events_request', /reindex index events_request/],
])(
  'given a schema in which something is %s, when it is examined, then it is a problem by its name',
  (what, name, help) => {
    const facts: SchemaFacts = { ...GOOD, [what]: [name] };

    expect(examineSchemaFacts(facts)).toMatchObject([
      { level: 'problem', about: name, help: expect.stringMatching(help) },
    ]);
    expect(examineSchemaFacts({ ...facts, [what]: [] })).toMatchObject([{ level: 'ok' }]);
  },
);

test('given a database of another build, when it is examined, then that alone is told, with what to do', () => {
  const facts = { ...GOOD, otherBuild: '0001_other.sql', missing: ['0001_baseline.sql'], strange: ['0001_other.sql'] };

  expect(examineSchemaFacts(facts)).toEqual([
    {
      check: 'schema',
      about: 'database',
      level: 'problem',
      says: 'was made by another build of Drover, which begins with the migration "0001_other.sql": Drover leaves it unchanged',
      help: expect.stringContaining('Start the build that made it'),
    },
  ]);
});
