/** Connects to programs that listen on the loopback address or a Unix socket of another machine. */
import type { Duplex } from 'node:stream';
import { type LocalClock, messageOf } from '@drover/base';

import { HostError } from '../../errors.ts';
import type { Loopback } from '../../port/machine.ts';
import { CarrierError } from '../carrier.ts';

/** Milliseconds until a server has said whether something listens at a port. */
const FORWARD_MS = 20_000;
/** Ports that systems give to those who ask for any, on every system. */
const PORT_FIRST = 49_152;
const PORTS = 12_000;
const TRIES_MAX = 20;

export interface LoopbackTools {
  readonly forward: (to: number | string) => Promise<Duplex>;
  readonly clock: LocalClock;
  /** A number from 0 up to 1. */
  readonly chance: () => number;
}

/** The server looks itself whether something listens, and may not answer: then it is as if it forbade it. @throws CarrierError */
export async function forwardWithin(
  { forward, clock }: Pick<LoopbackTools, 'forward' | 'clock'>,
  to: number | string,
): Promise<Duplex> {
  const asked = forward(to);
  const late = Promise.withResolvers<never>();
  const cancel = clock.after(FORWARD_MS, () => {
    late.reject(
      new CarrierError(
        'forbidden',
        `the server said nothing of ${typeof to === 'number' ? `port ${to}` : to} within ${FORWARD_MS} ms`,
      ),
    );
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
    connect: (to) => forwardWithin(tools, to),
  };
}

/** A port that refuses is free. */
async function refuses(tools: LoopbackTools, port: number): Promise<boolean> {
  try {
    (await forwardWithin(tools, port)).destroy();
    return false;
  } catch (error) {
    if (error instanceof CarrierError && error.reason === 'no-listener') return true;
    const message = `The machine lets no port be looked at: ${messageOf(error)}`;
    throw new HostError('spawn-failed', message, { program: 'find a free port', cause: error });
  }
}
