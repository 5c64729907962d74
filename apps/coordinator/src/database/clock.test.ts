/** Time of a replica with a wrong clock of its own and a slow database. */
import { expect, test } from 'vitest';
import { DatabaseClock } from './clock.ts';

const NOON = 1_000_000_000;

/** Builds a database and a computer beside it; `pass` lets time go by for both. */
function world({ hereAt = 0 } = {}) {
  let [elapsed, database, answersIn] = [hereAt, NOON, { there: 0, back: 0 }];
  const pass = (ms: number): void => {
    elapsed += ms;
    database += ms;
  };
  return {
    pass,
    /** Lets the computer sleep: time passes for the database alone. */
    sleep: (ms: number) => void (database += ms),
    database: () => database,
    answerIn: (there: number, back: number) => void (answersIn = { there, back }),
    local: { now: () => 7, elapsed: () => elapsed, after: () => () => {} },
    read: (): Promise<number> => {
      pass(answersIn.there);
      const said = database;
      pass(answersIn.back);
      return Promise.resolve(said);
    },
  };
}

test('given a computer that counts from elsewhere, when time passes, then its clock goes with the one of the database', async () => {
  const { local, read, pass, database } = world({ hereAt: -3_600_000 });
  const clock = await DatabaseClock.open(local, read);

  pass(12_345);

  expect(clock.now()).toBe(database());
});

test('given an answer that took long, when the next one is quick, then the clock is right, and was never ahead', async () => {
  const { local, read, answerIn, database } = world();
  answerIn(100, 2_000);
  const clock = await DatabaseClock.open(local, read);
  const behind = database() - clock.now();
  answerIn(0, 1);

  await clock.sync();

  expect(behind).toBe(2_000);
  expect(database() - clock.now()).toBe(1);
});

test('given a clock that is right, when an answer takes long, then it is not spoilt', async () => {
  const { local, read, answerIn, database } = world();
  const clock = await DatabaseClock.open(local, read);
  answerIn(500, 3_000);

  await clock.sync();

  expect(clock.now()).toBe(database());
});

test.each([3_600_000, -3_600_000])(
  'given a database whose clock is set by %i ms, when it is asked, then the clock follows',
  async (byMs) => {
    const { local, read, sleep, database } = world();
    const clock = await DatabaseClock.open(local, read);
    sleep(byMs);

    await clock.sync();

    expect(clock.now()).toBe(database());
  },
);

test('given a database that does not answer, when it is asked, then the caller gets the error and the clock goes on', async () => {
  const { local, read, pass, database } = world();
  let isAway = false;
  const clock = await DatabaseClock.open(local, () => (isAway ? Promise.reject(new Error('away')) : read()));
  isAway = true;

  await expect(clock.sync()).rejects.toThrow('away');
  pass(1_000);

  expect(clock.now()).toBe(database());
});
