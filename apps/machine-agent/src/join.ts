/** Joins a machine to a fleet before an agent runs on it. */
// oxlint-disable-next-line no-restricted-imports -- joins the machine that the command is given on, in a directory of the agent's own
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
// oxlint-disable-next-line no-restricted-imports -- joins the machine that the command is given on, in a directory of the agent's own
import { mkdirSync } from 'node:fs';

/** Name under which an agent finds its coordinator again: the addresses, separated by commas. */
const COORDINATOR_URL = 'coordinator-url';

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
 * Registers this machine at the coordinator, says hello once, and keeps the address for the agent. Safe to repeat.
 *
 * @throws AgentDirectoryError `in-use` while an agent runs here. SyncError with advice.
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

/** Tries one address after another. @throws SyncError of the first address that answered, or else of the last. */
async function firstReached(urls: readonly string[], greet: (url: string) => Promise<unknown>): Promise<void> {
  const [url = '', ...others] = urls;
  try {
    await greet(url);
  } catch (error) {
    if (others.length === 0 || !(error instanceof SyncError && error.code === 'unreachable')) throw error;
    await firstReached(others, greet);
  }
}

/** Address of this machine's coordinator, since it joined; null: it has not joined by `joinFleet`. @throws AgentDirectoryError */
export function joinedUrl(dataDir: string): string | null {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  using db = new AgentDatabase(openDirectory(dataDir));
  return db.maybeFact(COORDINATOR_URL) ?? null;
}

/** Data directory of the agent, below Drover's. */
export function agentDirectory(dataDir: string): string {
  return join(dataDir, 'agent');
}

/** Data directory of a gateway, below Drover's. */
export function gatewayDirectory(dataDir: string): string {
  return join(dataDir, 'gateway');
}
