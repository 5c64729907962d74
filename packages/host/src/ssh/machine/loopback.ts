/** Asks a program over HTTP that listens on the loopback address of another machine. */
import type { Duplex } from 'node:stream';

import { HostError } from '../../errors.ts';
import type { Loopback } from '../../port/machine.ts';
import type { Clock } from '../../system-clock.ts';
import { CarrierError } from '../carrier.ts';

/** Milliseconds until a server has said whether something listens at a port. */
const FORWARD_MS = 20_000;
/** Milliseconds for an answer, besides the way there and back. */
const ANSWER_MS = 1_000;
/** Ways there and back until an answer has come: the channel, then the question; twice that is late. */
const ROUND_TRIPS = 4;
/** Bytes of an answer. */
const BODY_BYTES_MAX = 16 * 1024 * 1024;
/** Ports that systems give to those who ask for any, on every system. */
const PORT_FIRST = 49_152;
const PORTS = 12_000;
const TRIES_MAX = 20;

export interface LoopbackTools {
  readonly forward: (port: number) => Promise<Duplex>;
  readonly clock: Clock;
  readonly roundTripMs: () => number;
  /** A number from 0 up to 1. */
  readonly chance: () => number;
}

/** The server looks at a port itself, and may not answer: then it is as if it allowed none to be looked at. @throws CarrierError */
export async function forwardWithin(
  { forward, clock }: Pick<LoopbackTools, 'forward' | 'clock'>,
  port: number,
): Promise<Duplex> {
  const asked = forward(port);
  const late = Promise.withResolvers<never>();
  const cancel = clock.setTimer(FORWARD_MS, () => {
    late.reject(new CarrierError('forbidden', `the server said nothing of port ${port} within ${FORWARD_MS} ms`));
    asked.then((stream) => stream.destroy()).catch(() => {});
  });
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    cancel();
  }
}

/** Loopback address of a machine that is reached by a connection. A server that forbids forwarding has no programs that answer. */
export function sshLoopback(tools: LoopbackTools): Loopback {
  return {
    async freePort() {
      for (let tried = 0; tried < TRIES_MAX; tried += 1) {
        const port = PORT_FIRST + Math.floor(tools.chance() * PORTS);
        if (await refuses(tools, port)) return port;
      }
      throw new HostError('spawn-failed', 'No free port was found on the machine', { program: 'find a free port' });
    },
    async getText(port, path, { user, password }) {
      const socket = await forwardWithin(tools, port).catch((): undefined => undefined);
      if (socket === undefined) return undefined;
      const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
      try {
        return await ask(tools, socket, { port, path, authorization });
      } finally {
        socket.destroy();
      }
    },
  };
}

/** A port that refuses is free. */
async function refuses(tools: LoopbackTools, port: number): Promise<boolean> {
  try {
    (await forwardWithin(tools, port)).destroy();
    return false;
  } catch (error) {
    if (error instanceof CarrierError && error.reason === 'no-listener') return true;
    const message = `The machine lets no port be looked at: ${error instanceof Error ? error.message : String(error)}`;
    throw new HostError('spawn-failed', message, { program: 'find a free port', cause: error });
  }
}

function ask(
  { clock, roundTripMs }: LoopbackTools,
  socket: Duplex,
  { port, path, authorization }: { port: number; path: string; authorization: string },
): Promise<string | undefined> {
  // Loads without `import`: docs/adr/0027-one-package-and-small-processes.md.
  const { request } = process.getBuiltinModule('node:http');
  return new Promise((resolve) => {
    const settle = (text: string | undefined): void => {
      cancel();
      resolve(text);
    };
    const cancel = clock.setTimer(ANSWER_MS + ROUND_TRIPS * roundTripMs(), () => {
      settle(undefined);
      asked.destroy();
    });
    const headers = { authorization, host: `127.0.0.1:${port}`, connection: 'close' };
    const asked = request({ createConnection: () => socket, path, headers }, (response) => {
      if (response.statusCode !== 200) settle(undefined);
      const parts: Buffer[] = [];
      let size = 0;
      response.on('data', (part: Buffer) => {
        size += part.length;
        if (size > BODY_BYTES_MAX) settle(undefined);
        else parts.push(part);
      });
      response.on('end', () => settle(Buffer.concat(parts).toString()));
      response.on('error', () => settle(undefined));
    });
    asked.on('error', () => settle(undefined));
    asked.end();
  });
}
