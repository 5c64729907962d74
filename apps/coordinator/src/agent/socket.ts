/** Serves a machine's WebSocket: takes requests one after the other, pushes commands as soon as they exist. */
import { storableJson, syncRequest } from '@drover/protocol';
import type { CommandEnvelope, SyncAnswer } from '@drover/protocol';
import type { Machine } from '@drover/store';
import type { RawData, WebSocket } from 'ws';
import type { Context } from '../context/context.ts';
import type { AccessWatch } from './access-watch.ts';
import { answer, endOf, newerProfiles, notRegistered, takeCommands, takeRequest } from './sync.ts';
import type { End } from './sync.ts';
import type { Waiters } from '../context/waiters.ts';

/**
 * Milliseconds between two pings. Commands are read at a hint, which `OutboxWatch` repeats within a second if it was lost, and with each
 * sync of the machine (docs/adr/0004).
 */
const BEAT_EVERY_MS = 4_000;
/** Messages of a machine that may wait; beyond that, reading pauses until half of them are taken. */
const WAITING_MAX = 16;
/** Bytes that may wait to be read by a machine: the largest message that an agent takes. A machine beyond that has stopped reading. */
const BUFFERED_BYTES_MAX = 16 * 1_048_576;
/** Heartbeats without a sign of life after which the machine is gone or reads nothing. An agent pings every 3 s. */
const SILENT_BEATS_MAX = 9;

/** Close codes that agents understand. */
export const CLOSE = {
  stopping: 1001,
  badMessage: 4000,
  superseded: 4001,
  failed: 4002,
  revoked: 4003,
  removed: 4004,
  renew: 4005,
} as const;

/** Last message of a connection, by the reason of its end. */
const LAST_WORDS: Readonly<Record<End, string>> = {
  superseded: 'a newer connection of this machine exists',
  revoked: 'this machine was revoked',
  removed: 'this machine was removed',
  renew: 'the access token has expired: connect again',
};

interface Line {
  readonly ctx: Context;
  readonly socket: WebSocket;
  readonly machine: Machine;
}

/** Parts that all connections of a process share. */
export interface SocketParts {
  readonly waiters: Waiters;
  readonly access: AccessWatch;
}

/** Flag for commands that the connection may not have taken yet. */
interface Outbox {
  isDue: boolean;
}

/** Serves one connection until it closes. To end the connection, close the socket. */
export function serveSocket(line: Line, { waiters, access }: SocketParts): void {
  const { ctx, socket, machine } = line;
  const outbox: Outbox = { isDue: true };
  let queue: Promise<void> = Promise.resolve();
  let [waiting, silentBeats] = [0, 0];
  const heard = (): void => void (silentBeats = 0);
  const enqueue = (work: () => Promise<void>): void => {
    queue = queue.then(work).catch((error: unknown) => {
      ctx.log('warn', `The connection of the machine "${machine.name}" is closed after an error: ${String(error)}`);
      socket.close(CLOSE.failed, 'the coordinator had an error; connect again');
    });
  };
  let pushing = false;
  const push = (): void => {
    outbox.isDue = true;
    if (pushing || socket.readyState !== socket.OPEN) return;
    pushing = true;
    enqueue(async () => {
      pushing = false;
      // A message that arrived meanwhile has taken the commands along.
      if (outbox.isDue) await pushCommands(line, outbox);
    });
  };
  const off = waiters.on(machine.id, push);
  const unwatch = access.watch(machine, () => enqueue(() => endIfOver(line)));
  const stopBeating = every(ctx, BEAT_EVERY_MS, () => {
    if (waiting === 0) silentBeats += 1;
    if (silentBeats > SILENT_BEATS_MAX) giveUp(line, 'it sends no heartbeat');
    else if (socket.readyState === socket.OPEN) socket.ping();
    if (outbox.isDue) push();
  });
  socket.on('ping', heard);
  socket.on('pong', heard);
  socket.on('message', (data) => {
    heard();
    waiting += 1;
    if (waiting >= WAITING_MAX) socket.pause();
    enqueue(async () => {
      try {
        await takeMessage(line, outbox, data);
      } finally {
        waiting -= 1;
        if (waiting <= WAITING_MAX / 2 && socket.isPaused) socket.resume();
      }
    });
  });
  socket.on('error', (error) => ctx.log('debug', `The connection of "${machine.name}" broke: ${error.message}`));
  socket.on('close', () => {
    off();
    unwatch();
    stopBeating();
  });
  push();
}

async function takeMessage(line: Line, outbox: Outbox, data: RawData): Promise<void> {
  const { ctx, socket, machine } = line;
  if (socket.readyState !== socket.OPEN) return;
  const request = parse(data);
  if (request === null) {
    ctx.log('warn', `The machine "${machine.name}" sent a message that is not of the protocol`);
    socket.close(CLOSE.badMessage, 'not a message of the protocol');
    return;
  }
  const heard = await takeRequest(ctx, machine, request);
  if (heard === null) return endIfOver(line);
  const commands = heard.hasCommands || outbox.isDue ? await takeAll(line, outbox) : [];
  const profiles = heard.hasProfiles ? await newerProfiles(ctx, machine, request) : null;
  send(line, answer(ctx, machine, { ackThrough: heard.ackThrough, commands, profiles }));
}

function send(line: Line, said: SyncAnswer): void {
  if (line.socket.bufferedAmount > BUFFERED_BYTES_MAX) giveUp(line, 'it does not read its messages');
  else line.socket.send(JSON.stringify(said));
}

function giveUp({ ctx, socket, machine }: Line, why: string): void {
  if (socket.readyState === socket.CLOSED) return;
  ctx.log('warn', `Closed the connection of the machine "${machine.name}": ${why}`);
  socket.terminate();
}

function parse(data: RawData): ReturnType<typeof syncRequest.parse> | null {
  try {
    return syncRequest.parse(JSON.parse(storableJson(data.toString())));
  } catch {
    return null;
  }
}

async function pushCommands(line: Line, outbox: Outbox): Promise<void> {
  const { ctx, socket, machine } = line;
  if (socket.readyState !== socket.OPEN) return;
  const commands = await takeAll(line, outbox);
  if (commands.length > 0) send(line, answer(ctx, machine, { ackThrough: 0, commands, profiles: null }));
}

/** Commands that arrive during the read send their own hint. An answer holds only so many: until none is left, more may wait. */
async function takeAll({ ctx, machine }: Line, outbox: Outbox): Promise<CommandEnvelope[]> {
  outbox.isDue = false;
  const commands = await takeCommands(ctx, machine);
  if (commands.length > 0) outbox.isDue = true;
  return commands;
}

/**
 * Ends a connection that is over, with the reason in the last message and in the close frame: the machine was removed, or a newer hello
 * has raised its epoch.
 */
async function endIfOver({ ctx, socket, machine }: Line): Promise<void> {
  const end = await endOf(ctx, machine);
  if (end === null || socket.readyState !== socket.OPEN) return;
  socket.send(JSON.stringify(notRegistered(ctx, end)));
  socket.close(CLOSE[end], LAST_WORDS[end]);
}

function every(ctx: Context, ms: number, run: () => void): () => void {
  let cancel = ctx.clock.after(ms, again);
  function again(): void {
    cancel = ctx.clock.after(ms, again);
    run();
  }
  return () => cancel();
}
