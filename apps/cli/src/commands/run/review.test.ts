import { expect, test } from 'vitest';
import { orRun } from './review.ts';

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
