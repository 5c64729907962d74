import { expect, test } from 'vitest';
import { turnOf } from './hold.ts';

test('given a budget that is spent, when an agent is asked to hand back, then its worker hears that this turn is the last', () => {
  const item = { runId: 'r1', item: 'build', attempt: 1, returns: 'commit' } as const;
  const request = { id: 'q1', workerId: 'w1', item, text: 'Report' };

  expect(turnOf({ ...request, kind: 'hand-back' }, 'm1')).toMatchObject({ run: item, handBack: true });
  expect(turnOf({ ...request, kind: 'send' }, 'm1')).not.toHaveProperty('handBack');
});
