/** Reads names from the coordinator, for completion. */
import { ask } from '../../client/client.ts';
import type { Client } from '../../client/calls.ts';
import type { Surroundings } from '../../surroundings.ts';
import type { LiveNames, Subject } from './candidates.ts';

/** Milliseconds that a person waits for a completion at most. */
const WAIT_MS = 2_000;

const READS: { readonly [S in Subject]: (client: Client) => Promise<readonly string[]> } = {
  checkpoint: async (client) => (await client.checkpoints.list.query({ limit: 100 })).map(({ shortId }) => shortId),
  escalation: async (client) =>
    (await client.escalations.list.query({ all: false, limit: 100 })).map(({ shortId }) => shortId),
  gateway: async (client) => (await client.machines.gateways.query()).map(({ name }) => name),
  machine: async (client) => (await client.machines.list.query()).map(({ name }) => name),
  profile: async (client) => (await client.profiles.list.query()).map(({ name }) => name),
  project: async (client) => (await client.projects.list.query()).map(({ name }) => name),
  queue: async (client) => (await client.queue.list.query({ all: false, limit: 100 })).map(({ id }) => id.slice(-8)),
  token: async (client) => (await client.tokens.list.query()).map(({ name }) => name),
  user: async (client) => (await client.people.list.query()).map(({ name }) => name),
  webhook: async (client) => (await client.webhooks.list.query()).map(({ name }) => name),
  worker: async (client) => (await client.workers.list.query()).map(({ name }) => name),
};

/** Returns no names if the coordinator does not answer in time, or refuses: completion never shows an error. */
export async function liveNames(surroundings: Surroundings, of: Parameters<LiveNames>[0]): Promise<readonly string[]> {
  const late = surroundings.sleep(WAIT_MS).then((): readonly string[] => []);
  const names = ask(surroundings, READS[of]).catch((): readonly string[] => []);
  const found = await Promise.race([names, late]);
  // Names that a shell would read as something else are left out, as are those that would break a line.
  return found.filter((name) => /^[\w./@+-]+$/u.test(name));
}
