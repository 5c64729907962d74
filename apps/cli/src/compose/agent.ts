/** A machine agent with the settings of this root. */
import path from 'node:path';
import { systemClock, systemIds, systemRandom } from '@drover/coordinator';
import { startMachineAgent } from '@drover/machine-agent';
import type { MachineAgent } from '@drover/machine-agent';
import type { Surroundings } from '../surroundings.ts';
import { VERSION } from '../version.ts';
import type { Log } from './log.ts';
import { readProfileFiles, watchProfileFiles } from './profile-files.ts';
import type { Settings } from './settings.ts';

/** What differs between `drover up` and `drover agent`. */
export interface AgentChoice {
  readonly url: string;
  readonly joinToken: string | undefined;
  readonly name: string | undefined;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** @throws AgentDirectoryError when another agent runs on the data directory, or it cannot be used. */
export async function composeAgent(
  { environment }: Surroundings,
  { config, paths }: Settings,
  { url, joinToken, name, log, signal }: AgentChoice,
): Promise<MachineAgent> {
  const agent = await startMachineAgent({
    documents: await readProfileFiles(paths, log),
    coordinatorUrl: url,
    dataDir: path.join(paths.dataDir, 'agent'),
    runtimeDir: paths.runtimeDir,
    machineName: name ?? config.agent.name ?? environment.hostName,
    joinToken,
    profiles: config.profiles,
    allowedRoots: config.agent.allowed_roots.length > 0 ? config.agent.allowed_roots : [paths.root],
    shardSize: config.agent.shard_size,
    env: environment.variables,
    hookCommand: hookCommand(),
    home: environment.home,
    version: VERSION,
    log,
    clock: {
      now: () => systemClock.now(),
      elapsed: () => systemClock.elapsed(),
      setTimer: (delayMs, run) => systemClock.after(delayMs, run),
    },
    ids: () => systemIds.uuid(),
    random: systemRandom,
    signal,
  });
  const watching = await watchProfileFiles(paths, {
    log,
    after: systemClock.after,
    use: (documents) => agent.useDocuments(documents),
  });
  signal.addEventListener('abort', () => watching[Symbol.dispose](), { once: true });
  return agent;
}

/** Hooks call the very program that runs here, whichever it is: the sources or the bundle. */
function hookCommand(): readonly string[] | undefined {
  const [node, program] = process.argv;
  return node === undefined || program === undefined ? undefined : [node, program, 'hook'];
}
