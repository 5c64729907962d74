// Sends as many inputs as asked for to one coordinator, some at once, with an honest exchange after each batch.
import { connect } from 'node:net';
import { inputOf } from './inputs.ts';
import type { Input } from './inputs.ts';
import { Target } from './target.ts';

export interface Plan {
  readonly databaseUrl: string;
  readonly seed: number;
  readonly inputs: number;
  /** Callback after each batch. */
  readonly told?: (sum: Sum) => void;
  /** Milliseconds that an input waits for the first byte of an answer. */
  readonly firstMs?: number;
}

/** Result of a run. */
export interface Sum {
  tried: number;
  /** Honest exchanges that worked. */
  honest: number;
  /** Answers by their status; 0: the connection was closed without one. */
  readonly statuses: Record<number, number>;
  /** Reasons why honest exchanges did not work, with the numbers of the inputs before them. */
  readonly problems: string[];
  /** Ends of the coordinator's process, each time. */
  readonly exits: readonly string[];
  /** Lines of its log at the level of errors. */
  readonly errors: readonly string[];
}

const BATCH = 500;
/** Connections at once. */
const AT_ONCE = 32;
/**
 * Milliseconds that an input waits for the first byte of an answer unless the plan says otherwise, and after it for more. Many inputs get no
 * answer.
 */
const FIRST_MS = 250;
const MORE_MS = 10;

/** Runs until all inputs are tried. */
export async function fuzz({ databaseUrl, seed, inputs, told, firstMs = FIRST_MS }: Plan): Promise<Sum> {
  await using target = new Target(databaseUrl);
  const sum: Sum = { tried: 0, honest: 0, statuses: {}, problems: [], exits: target.exits, errors: target.errors };
  for (let from = 0; from < inputs; from += BATCH) {
    await target.ensure();
    const to = Math.min(inputs, from + BATCH);
    await tryAll(target, sum, { seed, from, to, firstMs });
    const problem = await target.honestProblem();
    if (problem === null) sum.honest += 1;
    else sum.problems.push(`after the inputs ${from} to ${to - 1}: ${problem}`);
    told?.(sum);
  }
  return sum;
}

async function tryAll(
  target: Target,
  sum: Sum,
  {
    seed,
    from,
    to,
    firstMs,
  }: { readonly seed: number; readonly from: number; readonly to: number; readonly firstMs: number },
): Promise<void> {
  let next = from;
  const lane = async (): Promise<void> => {
    while (next < to) {
      const input = inputOf(seed, next, target.keys);
      next += 1;
      const answer = await send(target.url, input, firstMs);
      sum.tried += 1;
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
      sum.statuses[status] = (sum.statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** Sends it, and waits a moment for what comes back. Loopback has many addresses on Linux alone: elsewhere all come from one. */
async function send(url: string, { chunks, ends, from }: Input, firstMs: number): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const local = process.platform === 'linux' ? { localAddress: from } : {};
    const socket = connect({ host: hostname, port: Number(port), ...local });
    let heard = '';
    let timer: NodeJS.Timeout | undefined;
    const leaveIn = (ms: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => socket.destroy(), ms);
    };
    socket.on('data', (part: Buffer) => {
      heard = (heard + part.toString('latin1')).slice(0, 100);
      leaveIn(MORE_MS);
    });
    socket.on('error', () => {});
    socket.once('connect', () => {
      for (const chunk of chunks) socket.write(chunk);
      if (ends) socket.end();
      leaveIn(firstMs);
    });
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(heard);
    });
  });
}
