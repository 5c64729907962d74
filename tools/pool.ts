// Runs a long job on all cores: children take parts, one at a time, until none are left.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Program that does the parts, and the callback that receives their results. */
export interface Pool<Done> {
  readonly processes: number;
  /** The program of each child: it receives parts, and sends the result of each. */
  readonly child: URL;
  readonly args: readonly string[];
  /** Hears of each part that is over; when it answers false, no more are begun. */
  readonly done: (result: Done) => boolean;
}

/**
 * Runs all parts in `processes` children.
 *
 * @throws when a child ends before its answer.
 */
export async function runAll<Part extends object, Done>(
  parts: Iterable<Part>,
  { processes, child: program, args, done }: Pool<Done>,
): Promise<void> {
  const waiting = parts[Symbol.iterator]();
  let isGoingOn = true;
  const work = async (): Promise<void> => {
    const child = fork(fileURLToPath(program), args, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    try {
      while (isGoingOn) {
        const next = waiting.next();
        if (next.done === true) return;
        child.send(next.value);
        isGoingOn = done((await answerOf(child)) as Done) && isGoingOn;
      }
    } finally {
      await leave(child);
    }
  };
  await Promise.all(Array.from({ length: processes }, work));
}

/** Disconnects a child, which ends by itself and removes what it had made. */
async function leave(child: ReturnType<typeof fork>): Promise<void> {
  if (!child.connected) return;
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}

async function answerOf(child: ReturnType<typeof fork>): Promise<unknown> {
  const gone = new AbortController();
  const { signal } = gone;
  const ended = once(child, 'exit', { signal }).then(([status, by]) => {
    throw new Error(`A process of the run ended by itself (${String(by ?? status)})`);
  });
  ended.catch(() => {}); // it is given up as soon as the answer is there
  try {
    const [answer] = await Promise.race([once(child, 'message', { signal }), ended]);
    return answer;
  } finally {
    gone.abort();
  }
}
