// Looks at the panes of tmux servers, each over a connection of its own or locally, in a process of its own so that its time can be read.
import { randomUUID } from 'node:crypto';
import { systemClock } from '@drover/base';
import { createLocalHost } from '@drover/host';
import { newSecret, sshHostOn, type Reached } from '@drover/host/testing';
import { TmuxServer } from '@drover/tmux';

/** Panes that are looked at. Given as JSON in the first argument. */
export interface WatcherPlan {
  /** Server that is watched; null: locally. */
  readonly sshd: Reached | null;
  readonly sockets: readonly string[];
  readonly everyMs: number;
}

const { sshd, sockets, everyMs } = JSON.parse(process.argv[2] ?? '') as WatcherPlan;
await using stack = new AsyncDisposableStack();
for (const path of sockets) {
  // Each is a machine of its own for the gateway.
  const ssh = sshd === null ? null : stack.use(sshHostOn(sshd, { machine: newSecret() }));
  await ssh?.open();
  const host = ssh ?? createLocalHost({ env: process.env });
  const options = { host, clock: systemClock, socket: { kind: 'path', path } as const, secret: randomUUID() };
  const server = stack.use(await TmuxServer.open(options));
  stack.use(server.watch({ awaitedEveryMs: everyMs, awaited: () => true }));
}
const { promise, resolve } = Promise.withResolvers<void>();
process.once('message', () => resolve());
process.once('disconnect', () => resolve());
process.send?.('ready');
await promise;
process.disconnect?.();
