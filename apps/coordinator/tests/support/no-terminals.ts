/** Builds a server's parts for terminals and dashboards, where a test opens none. */
import { LiveFeed } from '../../src/dashboard/live-rows.ts';
import { Waiters } from '../../src/context/waiters.ts';
import { Relay } from '../../src/terminals/relay.ts';
import type { UpgradeParts } from '../../src/http/sockets/upgrades.ts';
import type { Context } from '../../src/context/context.ts';

export function noTerminals(ctx: Context): Pick<UpgradeParts, 'relay' | 'live' | 'tokens' | 'elapsed'> {
  const fleet = { listWorkers: () => Promise.resolve([]), listEscalations: () => Promise.resolve([]) };
  return {
    relay: new Relay({ replica: 'r1', store: ctx.store, log: ctx.log }),
    live: new LiveFeed({ ctx, fleet, events: new Waiters() }),
    tokens: { watch: () => () => {} },
    elapsed: () => 0,
  };
}
