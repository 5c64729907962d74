// How do many schedules use all cores? Children take ranges of seeds, one at a time, until none are left.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Range, RangeDone } from './child.ts';

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));

/** Ranges that follow one another: small enough that a run which is stopped loses seconds. */
export function* rangesOf(first: number, seeds: number, size: number): Generator<Range> {
  for (let at = first; at < first + seeds; at += size) yield { first: at, count: Math.min(size, first + seeds - at) };
}

/**
 * Runs all ranges in `processes` children. `done` hears of each that is over; when it answers false, no more are begun.
 *
 * @throws when a child ends before its answer.
 */
export async function runAll(
  ranges: Iterable<Range>,
  {
    processes,
    sql,
    done,
  }: { readonly processes: number; readonly sql: boolean; readonly done: (result: RangeDone) => boolean },
): Promise<void> {
  const waiting = ranges[Symbol.iterator]();
  let isGoingOn = true;
  const work = async (): Promise<void> => {
    const child = fork(CHILD, sql ? ['--sql'] : [], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    try {
      while (isGoingOn) {
        const next = waiting.next();
        if (next.done === true) return;
        child.send(next.value);
        isGoingOn = done(await answerOf(child)) && isGoingOn;
      }
    } finally {
      await leave(child);
    }
  };
  await Promise.all(Array.from({ length: processes }, work));
}

/** It ends by itself, and removes what it had made. */
async function leave(child: ReturnType<typeof fork>): Promise<void> {
  if (!child.connected) return;
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}

async function answerOf(child: ReturnType<typeof fork>): Promise<RangeDone> {
  const gone = new AbortController();
  const { signal } = gone;
  const ended = once(child, 'exit', { signal }).then(([status, by]) => {
    throw new Error(`A process of the simulation ended by itself (${String(by ?? status)})`);
  });
  ended.catch(() => {}); // it is given up as soon as the answer is there
  try {
    const [answer] = await Promise.race([once(child, 'message', { signal }), ended]);
    return answer as RangeDone;
  } finally {
    gone.abort();
  }
}
