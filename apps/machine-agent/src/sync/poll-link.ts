/** Runs an exchange over HTTP long poll, behind proxies that let no WebSocket through. */
import { pause } from '@drover/base';
import type { SyncRequest } from '@drover/protocol';
import { follow } from '../time.ts';
import { SyncError } from './errors.ts';
import type { Link } from './link.ts';

/** Seconds that the coordinator may hold a poll. Source: docs/mechanics.md, one exchange. */
const WAIT_SECONDS = 25;
/** Milliseconds that observations which come together are collected. */
const COLLECT_MS = 10;
/** Milliseconds below which an empty answer shows a coordinator that does not hold polls. */
const HELD_MS = 100;
/** Reason to abort a held poll. A constant reason spares an error with its stack, made only to say so. */
const NEWS = 'there is something to say';

/** Runs until `untilMs` (epoch milliseconds) or the link ends. @throws SyncError with the reason of a failure. */
export async function runPolls(link: Link, untilMs: number): Promise<void> {
  const { clock, signal, exchange } = link;
  while (!signal.aborted && clock.now() < untilMs) {
    const startedAt = clock.now();
    const isIdle = !exchange.hasNews;
    const outcome = await exchangeOnce(link, isIdle ? WAIT_SECONDS : 0);
    const wasHeld = clock.now() - startedAt >= HELD_MS;
    if (outcome.kind === 'answered' && isIdle && !wasHeld && outcome.commands === 0) {
      await quietPause(link, outcome.nextIntervalMs);
    }
  }
}

type Polled =
  | { readonly kind: 'answered'; readonly commands: number; readonly nextIntervalMs: number }
  | { readonly kind: 'interrupted' };

async function exchangeOnce(link: Link, waitSeconds: number): Promise<Polled> {
  const { api, exchange, clock, signal, token } = link;
  const over = new AbortController();
  const unfollow = follow(over, signal);
  // News ends a held poll, which would wait up to 25 s otherwise.
  let collected: (() => void) | undefined;
  const giveUp = (): void => over.abort(NEWS);
  const ignore = waitSeconds === 0 ? () => {} : exchange.onNews(() => (collected ??= clock.after(COLLECT_MS, giveUp)));
  const request: SyncRequest = exchange.next();
  try {
    const answer = await api.sync(request, { token, waitSeconds, signal: over.signal });
    exchange.heard(answer);
    link.onHeard(answer);
    // A command without an id comes again with every answer: it is no reason to ask at once.
    const commands = answer.commands.filter(({ id }) => id !== null).length;
    return { kind: 'answered', commands, nextIntervalMs: answer.nextIntervalMs };
  } catch (error) {
    exchange.notHeard(request);
    if (over.signal.aborted && error instanceof SyncError && error.code === 'unreachable')
      return { kind: 'interrupted' };
    throw error;
  } finally {
    ignore();
    collected?.();
    unfollow();
  }
}

/** Pauses until there is news, or the time is over. */
async function quietPause({ clock, signal, exchange }: Link, delayMs: number): Promise<void> {
  const over = new AbortController();
  const unfollow = follow(over, signal);
  const ignore = exchange.onNews(() => over.abort(NEWS));
  if (!exchange.hasNews) await pause(clock, delayMs, over.signal);
  ignore();
  unfollow();
}
