import { expect, test } from 'vitest';
import { silencedUntil } from './silences.ts';

const ANY = { project: null, worker: null, machine: null, code: null, until: 100 };
const ABOUT = { project: 'p', workers: ['adam'], machine: 'laptop', code: 'AGENT_CRASHED' };

test.each([
  ['of everything', ANY, 100],
  ['of its worker', { ...ANY, worker: 'adam' }, 100],
  ['of another worker', { ...ANY, worker: 'bea' }, null],
  ['of its machine and code', { ...ANY, machine: 'laptop', code: 'AGENT_CRASHED' }, 100],
  ['of its machine and another code', { ...ANY, machine: 'laptop', code: 'MACHINE_LOST' }, null],
  ['of another project', { ...ANY, project: 'q' }, null],
  ['that is over', { ...ANY, until: 50 }, null],
])(
  'given a silence %s, when a question is asked, then no person is called until its end, or one is',
  (_, silence, end) => {
    expect(silencedUntil([silence], ABOUT, 50)).toBe(end);
  },
);

test('given several silences, when a question falls under two, then the longer one counts', () => {
  expect(silencedUntil([ANY, { ...ANY, until: 200 }, { ...ANY, worker: 'bea', until: 900 }], ABOUT, 1)).toBe(200);
});

test('given a storm, when only one of its workers is silenced, then people are called', () => {
  expect(silencedUntil([{ ...ANY, worker: 'adam' }], { ...ABOUT, workers: ['adam', 'bea'] }, 1)).toBeNull();
});
