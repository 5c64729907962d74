// Runs a long job on all cores: children take parts, one at a time, until none are left.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Program that does the parts, and the callback that receives their results. */
export interface Pool<Done> {
  readonly processes: number;
  /** The program of each child: it receives parts, and sends the result of each. */
  readonly child: URL;
  /** Hears of each part that is over; when it answers false, no more are begun. */
  readonly done: (result: Done) => boolean;
}

/** Runs all parts in `processes` children. @throws when a child ends before its answer. */
export async function runAll<Part extends object, Done>(
  parts: Iterable<Part>,
  { processes, child: program, done }: Pool<Done>,
): Promise<void> {
  const waiting = parts[Symbol.iterator]();
  let isGoingOn = true;
  const work = async (): Promise<void> => {
    const child = fork(fileURLToPath(program), [], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    const ended = once(child, 'exit');
    try {
      while (isGoingOn) {
        const next = waiting.next();
        if (next.done === true) break;
        child.send(next.value);
        isGoingOn = done((await answerOf(child, ended)) as Done) && isGoingOn;
      }
    } finally {
      // The child ends by itself then, and removes what it had made.
      if (child.connected) child.disconnect();
      await ended;
    }
  };
  await Promise.all(Array.from({ length: processes }, work));
}

async function answerOf(child: ChildProcess, ended: Promise<unknown[]>): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  child.once('message', resolve);
  const lost = ended.then(([status, by]) => {
    throw new Error(`A process of the run ended by itself (${String(by ?? status)})`);
  });
  lost.catch(() => {}); // it is given up as soon as the answer is there
  return Promise.race([promise, lost]);
}
