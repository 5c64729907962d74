/** Builds a server's parts for terminals, where a test opens none. */
import { Relay } from '../../src/terminals/relay.ts';
import type { TerminalSockets } from '../../src/terminals/sockets.ts';
import type { Context } from '../../src/context/context.ts';

export function noTerminals({ store, log }: Context): Pick<TerminalSockets, 'relay' | 'tokens' | 'elapsed'> {
  return { relay: new Relay({ replica: 'r1', store, log }), tokens: { watch: () => () => {} }, elapsed: () => 0 };
}
