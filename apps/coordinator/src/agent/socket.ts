/** A machine's WebSocket: requests are taken one after the other, orders are pushed as soon as they are there. */
import { syncRequest } from '@drover/protocol';
import type { Machine } from '@drover/store';
import type { RawData, WebSocket } from 'ws';
import type { Context } from '../use-cases/context.ts';
import { answer, newerProfiles, takeCommands, takeRequest } from './sync.ts';
import type { Waiters } from './waiters.ts';

/** Without hints the outbox is looked at this often, in milliseconds. */
const LOOK_MS = 1_000;
/** How often it is made sure that the connection lives and that no newer one exists, in milliseconds. */
const HEARTBEAT_MS = 5_000;

/** Close codes that agents understand. */
export const CLOSE = { stopping: 1001, badMessage: 4000, superseded: 4001, failed: 4002 } as const;

interface Line {
  readonly ctx: Context;
  readonly socket: WebSocket;
  readonly machine: Machine;
}

/** Serves one connection until it closes. Closing the socket is all that ending it takes. */
export function serveSocket(line: Line, waiters: Waiters): void {
  const { ctx, socket, machine } = line;
  let queue: Promise<void> = Promise.resolve();
  const enqueue = (work: () => Promise<void>): void => {
    queue = queue.then(work).catch((error: unknown) => {
      ctx.log('warn', `The connection of the machine "${machine.name}" is given up: ${String(error)}`);
      socket.close(CLOSE.failed, 'the coordinator could not go on; connect again');
    });
  };
  let pushing = false;
  const push = (): void => {
    if (pushing || socket.readyState !== socket.OPEN) return;
    pushing = true;
    enqueue(async () => {
      pushing = false;
      await pushCommands(line);
    });
  };
  const off = waiters.on(machine.id, push);
  const stopLooking = every(ctx, LOOK_MS, push);
  const stopBeating = every(ctx, HEARTBEAT_MS, () => enqueue(() => beat(line)));
  socket.on('message', (data) => enqueue(() => takeMessage(line, data)));
  socket.on('error', (error) => ctx.log('debug', `The connection of "${machine.name}" broke: ${error.message}`));
  socket.on('close', () => {
    off();
    stopLooking();
    stopBeating();
  });
  push();
}

async function takeMessage({ ctx, socket, machine }: Line, data: RawData): Promise<void> {
  const request = parse(data);
  if (request === null) {
    ctx.log('warn', `The machine "${machine.name}" sent a message that is none of the protocol`);
    socket.close(CLOSE.badMessage, 'not a message of the protocol');
    return;
  }
  const ackThrough = await takeRequest(ctx, machine, request);
  const [commands, profiles] = [await takeCommands(ctx, machine), await newerProfiles(ctx, request)];
  socket.send(JSON.stringify(answer(ctx, machine, { ackThrough, commands, profiles })));
}

function parse(data: RawData): ReturnType<typeof syncRequest.parse> | null {
  try {
    return syncRequest.parse(JSON.parse(data.toString()));
  } catch {
    return null;
  }
}

async function pushCommands({ ctx, socket, machine }: Line): Promise<void> {
  if (socket.readyState !== socket.OPEN) return;
  const commands = await takeCommands(ctx, machine);
  if (commands.length > 0)
    socket.send(JSON.stringify(answer(ctx, machine, { ackThrough: 0, commands, profiles: null })));
}

/** A newer hello has raised the epoch: this connection is of the past. */
async function beat({ ctx, socket, machine }: Line): Promise<void> {
  if (socket.readyState !== socket.OPEN) return;
  socket.ping();
  const now = await ctx.store.readMachine(machine.id);
  if (now === null || now.epoch !== machine.epoch)
    socket.close(CLOSE.superseded, 'a newer connection of this machine exists');
}

function every(ctx: Context, ms: number, run: () => void): () => void {
  let cancel = ctx.clock.after(ms, again);
  function again(): void {
    cancel = ctx.clock.after(ms, again);
    run();
  }
  return () => cancel();
}
