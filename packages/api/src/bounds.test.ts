/** Is anything that clients send without a maximum? */
import { unboundedExports } from '@drover/protocol/testing';
import { expect, test } from 'vitest';
import * as audit from './audit.ts';
import * as checkpoints from './checkpoint-inputs.ts';
import * as doctor from './doctor.ts';
import * as inputs from './inputs.ts';
import * as policy from './policy.ts';
import * as queue from './queue.ts';
import * as recovery from './recovery-inputs.ts';
import * as tokens from './tokens.ts';

test('given every input of the API, when it is walked, then each string and list has a maximum', () => {
  const all = Object.entries({
    ...audit,
    ...checkpoints,
    ...doctor,
    ...inputs,
    ...policy,
    ...queue,
    ...recovery,
    ...tokens,
  });
  const taken = Object.fromEntries(all.filter(([name]) => name.endsWith('Input')));

  expect(Object.keys(taken).length).toBeGreaterThan(20);
  expect(unboundedExports(taken)).toEqual([]);
});
