/** Finds schemas for clients' input that lack a maximum. */
import { unboundedExports } from '@drover/protocol/testing';
import { expect, test } from 'vitest';
import * as accounts from './accounts.ts';
import * as checkpoints from './checkpoints.ts';
import * as doctor from './doctor.ts';
import * as escalations from './escalations.ts';
import * as incidents from './incidents.ts';
import * as machines from './machines.ts';
import * as people from './people.ts';
import * as policies from './policies.ts';
import * as profiles from './profiles.ts';
import * as queue from './queue.ts';
import * as tasks from './tasks.ts';
import * as shown from './workers/shown.ts';
import * as workers from './workers/workers.ts';

test('given every input of the API, when it is walked, then each string and list has a maximum', () => {
  const all = Object.entries({
    ...accounts,
    ...checkpoints,
    ...doctor,
    ...escalations,
    ...incidents,
    ...machines,
    ...people,
    ...policies,
    ...profiles,
    ...queue,
    ...tasks,
    ...shown,
    ...workers,
  });
  const taken = Object.fromEntries(all.filter(([name]) => name.endsWith('Input')));

  expect(Object.keys(taken).length).toBeGreaterThan(20);
  expect(unboundedExports(taken)).toEqual([]);
});
