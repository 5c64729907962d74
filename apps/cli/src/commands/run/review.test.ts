import { expect, test } from 'vitest';
import { nextStep, orRun } from './review.ts';

const worker = (): Promise<string> => Promise.resolve('worker');
const run = (id: string): Promise<string> => Promise.resolve(`run ${id}`);

test.each([
  ['5b6bf875', 'run 5b6bf875'],
  ['adam', 'worker'],
  ['beadfeed', 'worker'],
  ['shop/adam', 'worker'],
  [undefined, 'worker'],
])(
  'given %j, which a worker and a run may be called, when it is looked for, then a name goes before an id',
  async (name, found) => {
    expect(await orRun(name, worker, run)).toBe(found);
  },
);

test.each([
  [false, 'You have reviewed commit abc; "drover accept 5b6bf875" merges no other commit.'],
  [true, 'A list of files is no review of a run: look at its diff with "drover review 5b6bf875" before'],
])('given a run that was shown, when that was a list alone (%j), then its end says what counts', (stat, text) => {
  expect(nextStep({ head: 'abc', run: { shortId: '5b6bf875' } }, stat)).toContain(text);
});
