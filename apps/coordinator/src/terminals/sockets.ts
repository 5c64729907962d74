/** Serves the WebSockets of terminals: limits their messages by kind, size, rate and time. */
import { isTyping, personMessage, SILENT_MS, type ScreenMessage } from '@drover/protocol';
import type { TerminalRow } from '@drover/store';
import type { WebSocket } from 'ws';
import type { Waiters } from '../context/waiters.ts';
import type { TokenWatch } from '../door/token-watch.ts';
import { Buckets } from '../door/rates.ts';
import * as limits from '../door/limits.ts';
import { ask } from '../facts/machines/query.ts';
import { redactorOf, type Context } from '../context/context.ts';
import type { Connection, End, Relay } from './relay.ts';

/** Close codes that both ends understand. */
export const TERMINAL_CLOSE = { stopping: 1001, ended: 4000, badMessage: 4001, over: 4002 } as const;

/** Milliseconds between checks that the person of an open terminal is still there. */
const CHECK_EVERY_MS = 15_000;
/** Milliseconds between checks that its machine may still serve: people are told that it ends within 5 s. */
const TAKEN_OUT_EVERY_MS = 4_000;
/** Bytes that may wait to be read by one end. Both ends acknowledge what they have read, so only an end that does not gets there. */
const BUFFERED_BYTES_MAX = 4 * 1_048_576;

/** Parts that the sockets of one replica share. */
export interface TerminalSockets {
  readonly ctx: Context;
  readonly relay: Relay;
  readonly commands: Waiters;
  readonly tokens: Pick<TokenWatch, 'watch'>;
  /** Milliseconds that only grow. */
  readonly elapsed: () => number;
}

/** Serves a person with a valid ticket, until the socket closes. */
export function servePerson(
  { ctx, relay, commands, tokens, elapsed }: TerminalSockets,
  socket: WebSocket,
  { row, token }: { readonly row: TerminalRow; readonly token: { readonly id: string; readonly name: string } },
): void {
  let heardAt = elapsed();
  const messages = new Buckets(limits.TERMINAL_RATE, { max: 1, elapsed });
  const end = (code: string, message: string): void => {
    if (socket.readyState !== socket.OPEN) return;
    const said: ScreenMessage = { kind: 'ended', code, message: redactorOf(ctx).text(message) };
    socket.send(JSON.stringify(said));
    socket.close(TERMINAL_CLOSE.ended);
  };
  const connection = relay.addPerson(row.id, {
    take: (message) => passOn(socket, message),
    otherGone: (why) => end('lost', `the connection to its machine is lost: ${why}`),
  });
  const unwatch = tokens.watch({ ...token, over: (lastWord) => end('token-over', lastWord) });
  const stopChecking = every(ctx, CHECK_EVERY_MS, () => {
    if (elapsed() - heardAt > SILENT_MS) socket.terminate();
  });
  socket.on('message', (data) => {
    heardAt = elapsed();
    const { success, data: message } = personMessage.safeParse(parse(String(data)));
    if (!success) return end('bad-message', 'the coordinator cannot read the message: use a drover of its version');
    if (isTyping(message) && !row.types) return end('watches', 'you are only watching, so you cannot type');
    if (messages.take(row.id) > 0) return end('too-fast', 'the input is larger than a person can type');
    return connection.send(JSON.stringify(message));
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    unwatch();
    stopChecking();
    connection.leave('the person has left');
  });
  void tellProblem();

  async function tellProblem(): Promise<void> {
    const problem = await call({ ctx, commands, row });
    if (problem !== null) end(problem.code, problem.message);
  }
}

/** Asks the machine to connect. @returns the reason if it does not; null: it has. */
async function call({
  ctx,
  commands,
  row,
}: {
  readonly ctx: Context;
  readonly commands: Waiters;
  readonly row: TerminalRow;
}): Promise<{ readonly code: string; readonly message: string } | null> {
  try {
    const worker = await ctx.store.readWorker(row.workerId);
    if (worker === null) return { code: 'not-found', message: 'the worker was removed' };
    if (worker.machineId !== row.machineId)
      return { code: 'moved', message: 'the worker has moved to another machine: attach again' };
    const query = { kind: 'open-terminal', terminal: row.id, types: row.types } as const;
    const answer = await ask(ctx, { commands }, { row: worker, query });
    if (answer.kind === 'terminal-opened') return null;
    return answer.kind === 'failed'
      ? answer
      : { code: 'machine', message: 'the machine gave an answer that does not match the request' };
  } catch (error) {
    ctx.log('warn', `Cannot open a terminal: ${String(error)}`);
    return { code: 'failed', message: 'the coordinator could not ask the machine; its log says why' };
  }
}

/** Serves a machine for a person who waits at `personAt`, until the socket closes. */
export function serveMachine(
  { ctx, relay }: Pick<TerminalSockets, 'ctx' | 'relay'>,
  socket: WebSocket,
  { row, personAt }: { readonly row: TerminalRow; readonly personAt: string },
): void {
  const end: End = {
    take: (message) => passOn(socket, message),
    otherGone: (why) => socket.close(TERMINAL_CLOSE.ended, why.slice(0, 100)),
  };
  const connection: Connection | null = relay.addMachine(row.id, end, personAt);
  if (connection === null) return socket.close(TERMINAL_CLOSE.over, 'the person has left');
  const stopChecking = every(ctx, TAKEN_OUT_EVERY_MS, () => void closeIfTakenOut());
  socket.on('message', (data) => connection.send(String(data)));
  socket.on('error', () => {});
  socket.on('close', () => {
    stopChecking();
    connection.leave('its machine closed it');
  });
  return undefined;

  async function closeIfTakenOut(): Promise<void> {
    // Without an answer the next check decides.
    const machine = await ctx.store.readMachine(row.machineId).catch(() => undefined);
    if (machine === null || (machine !== undefined && machine.revokedAt !== null))
      socket.close(TERMINAL_CLOSE.over, 'this machine was removed');
  }
}

function passOn(socket: WebSocket, message: string): void {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > BUFFERED_BYTES_MAX) socket.terminate();
  else socket.send(message);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function every({ clock }: Context, ms: number, run: () => void): () => void {
  let cancel = clock.after(ms, again);
  function again(): void {
    cancel = clock.after(ms, again);
    run();
  }
  return () => cancel();
}
