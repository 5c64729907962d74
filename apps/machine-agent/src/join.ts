/** How does a machine join a fleet before an agent runs on it? */
import { createLocalHost } from '@drover/host';
import { join } from 'node:path';
import { withoutWithheld } from './host/program-environment.ts';
import { loadMachineKeys } from './identity/machine-key.ts';
import { machineFacts } from './machine-agent.ts';
import { urlsOf, type MachineAgentOptions } from './options.ts';
import { AgentDatabase, openDirectory } from './store/database.ts';
import { CoordinatorApi } from './sync/api.ts';
import { SyncError } from './sync/errors.ts';
import { postOverHttp } from './sync/http-adapter.ts';
import { sayHello } from './sync/identity.ts';
import { Redactor } from '@drover/protocol';
import { mkdirSync } from 'node:fs';

/** Under which name an agent finds its coordinator again: the addresses, separated by commas. */
const COORDINATOR_URL = 'coordinator-url';

/** What joining needs. */
type JoinOptions = Pick<
  MachineAgentOptions,
  | 'coordinatorUrl'
  | 'dataDir'
  | 'machineName'
  | 'joinToken'
  | 'env'
  | 'version'
  | 'redactor'
  | 'log'
  | 'clock'
  | 'ids'
  | 'signal'
> & {
  /** Null: a gateway joins. */
  readonly places: MachineAgentOptions['places'] | null;
};

/**
 * Makes this machine known to the coordinator, says hello once, and keeps the address for the agent. Safe to repeat.
 *
 * @throws AgentDirectoryError `in-use` while an agent runs here. SyncError with what to do.
 */
export async function joinFleet(options: JoinOptions): Promise<void> {
  const { coordinatorUrl, dataDir, machineName, joinToken, places, version, log, clock, ids, signal } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  using db = new AgentDatabase(openDirectory(dataDir));
  const keys = loadMachineKeys(dataDir);
  const host = createLocalHost({ env: withoutWithheld(options.env) });
  const facts = () => machineFacts(host, options.redactor ?? new Redactor());
  const agentEpoch = db.fact('agent-epoch', ids);
  const identity = { db, keys, machineName, joinToken, agentEpoch, version, facts, places, salt: ids, log };
  const urls = urlsOf(coordinatorUrl);
  await firstReached(urls, (url) => sayHello(new CoordinatorApi(url, { post: postOverHttp, clock, signal }), identity));
  db.setFact(COORDINATOR_URL, urls.join(','));
}

/** Tries one address after the other. @throws SyncError of the first that answered, or of the last, where none did. */
async function firstReached(urls: readonly string[], greet: (url: string) => Promise<unknown>): Promise<void> {
  const [url = '', ...others] = urls;
  try {
    await greet(url);
  } catch (error) {
    if (others.length === 0 || !(error instanceof SyncError && error.code === 'unreachable')) throw error;
    await firstReached(others, greet);
  }
}

/** Where this machine's coordinator is, since it joined; null: it has not joined by `joinFleet`. @throws AgentDirectoryError */
export function joinedUrl(dataDir: string): string | null {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  using db = new AgentDatabase(openDirectory(dataDir));
  return db.maybeFact(COORDINATOR_URL) ?? null;
}

/** The data directory of the agent, below that of Drover. */
export function agentDirectory(dataDir: string): string {
  return join(dataDir, 'agent');
}

/** The data directory of a gateway, below that of Drover. */
export function gatewayDirectory(dataDir: string): string {
  return join(dataDir, 'gateway');
}
