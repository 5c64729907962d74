import type { MachineView } from '@drover/api';
import { expect, test } from 'vitest';
import { endedBy } from './drain.ts';

type Cordon = MachineView['cordon'];

const DRAIN = { since: 1, deadline: null, doneAt: null, waits: { eva: 'waits for a person' } };

function seen(state: MachineView['state'], drain: NonNullable<Cordon>['drain']): string | null {
  return endedBy({ name: 'vm', state, cordon: { since: 1, by: 'mia', drain } });
}

test('given a machine that is revoked while it is drained, when a person waits, then they are told, and a drain that goes on or is done is none of it', () => {
  expect(seen('revoked', DRAIN)).toMatch(/^vm is revoked.*invite.*remove vm --force/u);
  expect(seen('connected', DRAIN)).toBeNull();
  expect(seen('disconnected', DRAIN)).toBeNull();
  expect(seen('revoked', { ...DRAIN, doneAt: 2 })).toBeNull();
  expect(seen('connected', null)).toMatch(/ended by somebody else/u);
});
