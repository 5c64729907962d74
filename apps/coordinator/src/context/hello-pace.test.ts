/** All machines get in, in turn; a machine that breaks the rules cannot keep the others out. */
import { expect, test } from 'vitest';
import { HelloPace } from './hello-pace.ts';

/** Builds a replica on a clock that the test sets; each hello is answered at once, unless `keeps` says otherwise. */
function replica(): { readonly now: { ms: number }; readonly ask: (id: string) => number; readonly pace: HelloPace } {
  const now = { ms: 10_000 };
  const pace = new HelloPace(() => now.ms);
  return {
    now,
    pace,
    /** @returns the wait in milliseconds; 0: the machine goes on. */
    ask: (id) => {
      const turn = pace.ask(id);
      if (turn.kind === 'later') return turn.afterMs;
      turn.done();
      return 0;
    },
  };
}

/** Lets all ask at once, and each again after its wait. @returns when each went on, in milliseconds from the first. */
function comeBack(machines: readonly string[], { now, ask }: ReturnType<typeof replica>): readonly number[] {
  const begun = now.ms;
  const waiting = machines.map((id) => ({ id, at: now.ms, asked: 0 }));
  const back: number[] = [];
  while (waiting.length > 0) {
    const next = waiting.toSorted((one, other) => one.at - other.at)[0];
    if (next === undefined) break;
    now.ms = next.at;
    const afterMs = ask(next.id);
    next.asked += 1;
    expect(next.asked).toBeLessThanOrEqual(2);
    if (afterMs > 0) next.at = now.ms + afterMs;
    else back.push(waiting.splice(waiting.indexOf(next), 1)[0]?.at ?? 0);
  }
  return back.map((at) => at - begun);
}

const FLEET = Array.from({ length: 500 }, (_, number) => `m${number}`);

test('given 500 machines that come at once, when each asks again at its turn, then all are in within 36 s, 14 a second, and none asks twice', () => {
  const back = comeBack(FLEET, replica());

  expect(back).toHaveLength(500);
  expect(Math.max(...back)).toBeLessThanOrEqual(36_000);
  for (let second = 1; second < 35; second += 1)
    expect(back.filter((at) => at >= second * 1_000 && at < (second + 1) * 1_000).length).toBeLessThanOrEqual(15);
});

test('given a fleet that runs, when a machine comes now and then, then it is never told to wait', () => {
  const { now, ask } = replica();
  for (const id of FLEET) {
    expect(ask(id)).toBe(0);
    now.ms += 72;
  }
});

test('given a joined machine that says hello without end, when others come, then they wait at most a second longer', () => {
  const busy = replica();
  for (let i = 0; i < 10_000; i += 1) {
    busy.ask('greedy');
    busy.now.ms += 1;
  }
  expect(busy.ask('other')).toBeLessThanOrEqual(1_000);
});

test('given machines that wait and ask without end, when the others come at their turns, then these are as soon in', () => {
  const one = replica();
  for (const id of FLEET) one.ask(id);
  const told = one.ask('last');
  for (let i = 0; i < 1_000; i += 1) expect(one.ask('m499')).toBeGreaterThan(0);
  expect(one.ask('last')).toBe(told);
});

test('given hellos that are not answered yet, when more come, then at most 16 are under way, and the next goes on when one is done', () => {
  const { now, pace } = replica();
  const turns = FLEET.slice(0, 20).map((id) => {
    now.ms += 72;
    return { id, turn: pace.ask(id) };
  });
  const [under, later] = [turns.slice(0, 16), turns.slice(16)];
  expect(turns.map(({ turn }) => turn.kind)).toEqual([...under.map(() => 'now'), ...later.map(() => 'later')]);

  const first = under[0]?.turn;
  if (first?.kind === 'now') first.done();
  now.ms += 1_000;

  expect(pace.ask(later[0]?.id ?? '').kind).toBe('now');
  expect(pace.ask(later[1]?.id ?? '').kind).toBe('later');
});

test('given machines that never come back for their turns, when a minute has passed, then others are let in at once', () => {
  const { now, ask } = replica();
  for (const id of FLEET) ask(id);
  now.ms += 60_000;
  for (const id of FLEET.slice(0, 14)) expect(ask(`${id}-other`)).toBe(0);
});
