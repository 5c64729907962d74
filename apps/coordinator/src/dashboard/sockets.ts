/** Serves the WebSocket of a dashboard, until it closes or its token ends. */
import type { Actor, LiveMessage } from '@drover/api';
import type { WebSocket } from 'ws';
import type { TokenWatch } from '../door/token-watch.ts';
import type { LiveFeed } from './live-rows.ts';

/** Path of the WebSocket. */
export const LIVE_PATH = '/live';
/** Close code: the token was revoked or has expired. */
const OVER = 4000;
/** Bytes that may wait to be read: a page that does not read is cut off, and begins anew when it comes back. */
const BUFFERED_BYTES_MAX = 8 * 1_048_576;

export interface DashboardSockets {
  readonly live: LiveFeed;
  readonly tokens: Pick<TokenWatch, 'watch'>;
}

/** Serves a person who follows the fleet. */
export function serveDashboard({ live, tokens }: DashboardSockets, socket: WebSocket, actor: Actor): void {
  const unfollow = live.follow(actor, (message) => {
    if (socket.bufferedAmount > BUFFERED_BYTES_MAX) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.send(message);
  });
  const unwatch = tokens.watch({
    id: actor.id,
    name: actor.name,
    over: (message) => {
      const last: LiveMessage = { kind: 'over', message };
      socket.send(JSON.stringify(last));
      socket.close(OVER);
    },
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    unfollow();
    unwatch();
  });
}
