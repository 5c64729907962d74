/** Composes a gateway with the settings of this root: it serves the machines of the fleet that are reached over SSH from here. */
import type { Log } from '@drover/base';
import { systemIds, systemRandom } from '@drover/coordinator';
import { gatewayDirectory } from '@drover/machine-agent';
import { startGateway, type RunningGateway } from '@drover/machine-agent/gateway';
import type { Redactor } from '@drover/protocol';
import { profileDirectories, readProfileFiles } from '../profiles/files.ts';
import type { Surroundings } from '../surroundings.ts';
import { VERSION } from '../version.ts';
import { agentClock, ceilingsOf } from './agent.ts';
import type { Settings } from './settings.ts';

/** Differences between `drover up` and `drover server gateway`. */
export interface GatewayChoice {
  readonly url: string;
  readonly joinToken: string | undefined;
  readonly name: string | undefined;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
}

/** @throws AgentDirectoryError if another gateway runs on the data directory, or the directory cannot be used. */
export async function composeGateway(
  { environment }: Surroundings,
  settings: Settings,
  { url, joinToken, name, log, redactor, signal }: GatewayChoice,
): Promise<RunningGateway> {
  const { config, paths } = settings;
  if (joinToken !== undefined) redactor.add(joinToken);
  return startGateway({
    documents: await readProfileFiles(profileDirectories(paths), (problem) => log('warn', problem)),
    coordinatorUrl: url,
    dataDir: gatewayDirectory(paths.dataDir),
    runtimeDir: paths.runtimeDir,
    name: name ?? gatewayName(config.agent.name ?? environment.hostName),
    joinToken,
    profiles: config.profiles,
    // Their homes are on the machines that it serves.
    accounts: config.accounts,
    envOf: (machine) => config.machines[machine]?.env ?? {},
    ceilings: ceilingsOf(settings),
    shardSize: config.agent.shard_size,
    env: environment.variables,
    version: VERSION,
    redactor,
    log,
    clock: agentClock,
    ids: () => systemIds.uuid(),
    newSecret: () => systemIds.uuid().replaceAll('-', ''),
    random: systemRandom,
    signal,
  });
}

/** Names a gateway, because machines and gateways share one space of names. */
export function gatewayName(machine: string): string {
  return `${machine}-gateway`;
}
