/**
 * Keeps the agent connected to its coordinator. Hello, then one connection until it ends, then again: with backoff and full jitter, on the
 * next replica when one fails, over long poll if no WebSocket can be had.
 */
import { type LocalClock, type Log, pause } from '@drover/base';
import type { HelloAnswer, UnreadCommand, CommandEnvelope } from '@drover/protocol';
import type { FleetProfiles } from '../panes/fleet-profiles.ts';
import type { ConditionRead } from '../condition/condition.ts';
import type { Outbox } from '../store/outbox.ts';
import { follow } from '../time.ts';
import { CoordinatorApi } from './api.ts';
import { backoffMs } from './backoff.ts';
import { SyncError, SYNC_ERRORS } from './errors.ts';
import { Exchange } from './exchange.ts';
import type { Post } from './http-adapter.ts';
import { sayHello, type Identity } from './identity.ts';
import type { Link } from './link.ts';
import { runPolls } from './poll-link.ts';
import { runSocket } from './socket-link.ts';
import { Telling } from './telling.ts';

/** Share of an access token's life after which it is renewed by a new hello. */
const RENEW_AT = 0.8;
/** Share of its life by which the renewal may be earlier: machines that came back together do not all renew together. */
const RENEW_SPREAD = 0.2;
/** Milliseconds that a connection must have lasted before its end counts as the first failure again. */
const STABLE_AFTER_MS = 5_000;
/** Milliseconds of polling after which a WebSocket is tried again. */
const SOCKET_AGAIN_MS = 60_000;
/** Milliseconds, at most, between two retries of a machine that is revoked: only a person can change that. */
const REVOKED_PAUSE_MS = 60_000;
/** Milliseconds between signs of life until the coordinator names its own. Source: docs/mechanics.md, intervals. */
const INTERVAL_MS = 5_000;

interface KeeperOptions {
  readonly urls: readonly string[];
  readonly identity: Identity;
  readonly outbox: Outbox;
  readonly post: Post;
  readonly transport: 'auto' | 'poll';
  readonly clock: LocalClock;
  readonly random: () => number;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Profiles of the fleet, as far as this machine has them. */
  readonly fleetProfiles: FleetProfiles;
  /** Condition of this machine, as of the last reading; absent: it is not reported. */
  readonly condition?: (() => ConditionRead | null) | undefined;
  /** Called when the first message after a hello was answered. */
  readonly onConnected?: (() => void) | undefined;
  /** Called after each hello and before anything is sent. */
  readonly onHello: (hello: HelloAnswer, api: CoordinatorApi) => Promise<void>;
  /** Takes a command of the present epoch or an older one. */
  readonly receive: (command: CommandEnvelope | UnreadCommand, epoch: number) => void;
}

/** Runs until the signal fires. Never rejects. */
export async function keepInTouch(options: KeeperOptions): Promise<void> {
  const { urls, clock, random, log, signal } = options;
  let failures = 0;
  let replica = 0;
  const told = new Telling();
  while (!signal.aborted) {
    const url = urls[replica % urls.length] ?? '';
    try {
      await connectOnce(options, url, () => (failures = 0));
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof SyncError && error.code === 'turn-later') {
        log('debug', error.message, { url, retryInMs: error.retryAfterMs });
        await pause(clock, error.retryAfterMs, signal);
        continue;
      }
      failures += 1;
      replica += 1;
      const delayMs = delayFor(error, { failures, random: random() });
      log(told.levelFor(error, failures), wordsFor(error), { url, retryInMs: delayMs });
      await pause(clock, delayMs, signal);
    }
  }
}

async function connectOnce(options: KeeperOptions, url: string, onWorking: () => void): Promise<void> {
  const { post, clock, outbox, identity, fleetProfiles, condition, onHello, receive, random, log, signal } = options;
  const api = new CoordinatorApi(url, { post, clock, signal });
  const hello = await sayHello(api, identity);
  fleetProfiles.adopt(hello.profiles);
  await onHello(hello, api);
  const renewal = new AbortController();
  const lifeMs = Math.max(1_000, (hello.expiresAt - hello.serverTime) * (RENEW_AT - RENEW_SPREAD * random()));
  const cancelRenewal = clock.after(lifeMs, () => renewal.abort());
  const unfollow = follow(renewal, signal);
  const exchange = new Exchange({
    outbox,
    agentEpoch: identity.agentEpoch,
    hello,
    receive: (command) => receive(command, hello.epoch),
    profilesRevision: () => fleetProfiles.revision,
    condition,
    now: () => clock.now(),
    onProfiles: (set) => fleetProfiles.adopt(set),
  });
  const startedAt = clock.now();
  let isNew = true;
  const link: Link = {
    url: api.url,
    token: hello.accessToken,
    api,
    exchange,
    clock,
    intervalMs: INTERVAL_MS,
    signal: renewal.signal,
    onHeard: () => {
      if (isNew) {
        isNew = false;
        log('info', `Connected to ${api.url}`, { epoch: hello.epoch });
        options.onConnected?.();
      }
      if (clock.now() - startedAt >= STABLE_AFTER_MS) onWorking();
    },
  };
  try {
    await runLink(options, link);
  } finally {
    cancelRenewal();
    unfollow();
  }
}

/** Runs a WebSocket if one can be had, else long polls, with a retry of the WebSocket now and then. */
async function runLink({ transport, clock, log }: KeeperOptions, link: Link): Promise<void> {
  while (!link.signal.aborted) {
    if (transport === 'auto') {
      try {
        return await runSocket(link);
      } catch (error) {
        if (!(error instanceof SyncError) || error.code !== 'no-socket') throw error;
        log('info', `${error.message}; using long poll`);
      }
    }
    await runPolls(link, transport === 'auto' ? clock.now() + SOCKET_AGAIN_MS : Number.POSITIVE_INFINITY);
  }
}

function delayFor(error: unknown, { failures, random }: { failures: number; random: number }): number {
  if (error instanceof SyncError && error.code === 'machine-revoked') return REVOKED_PAUSE_MS * (0.5 + random / 2);
  const hopeless = error instanceof SyncError && !SYNC_ERRORS[error.code].retry;
  const askedMs = error instanceof SyncError ? error.retryAfterMs : 0;
  return askedMs + backoffMs(hopeless ? failures + 4 : failures, random);
}

function wordsFor(error: unknown): string {
  if (!(error instanceof SyncError)) return `Lost the coordinator: ${String(error)}`;
  if (error.code === 'unknown-machine') return `${error.message}. Join it again with "drover machine invite"`;
  if (error.code === 'machine-revoked') return `${error.message}. ${AFTER_REVOKED}`;
  // A newer coordinator names the command.
  if (error.code === 'version-refused' && !error.message.includes('pgrade'))
    return `${error.message}. Update the older of the two`;
  return error.message;
}

const AFTER_REVOKED =
  'Its sessions keep running, but the agent reports nothing and carries out no commands. To let it in again: "drover machine invite", then start this agent with the new token; otherwise stop it';
