/** Joins a fleet with the settings of this machine, which are those of the person and of no root. */
import { systemIds } from '@drover/coordinator';
import { agentDirectory, gatewayDirectory, joinFleet } from '@drover/machine-agent';
import { readInvitation } from '@drover/protocol';
import { refuseClearText } from '../client/clear-text.ts';
import { readJoinToken } from '../commands/server/join-token.ts';
import { CommandError } from '../exit-codes.ts';
import type { Surroundings } from '../surroundings.ts';
import { VERSION } from '../version.ts';
import { agentClock, placesOf } from './agent.ts';
import { gatewayName } from './gateway.ts';
import { needPrograms } from './programs.ts';
import { openRedaction } from './redaction.ts';
import { readOwnSettings } from './settings.ts';

/** The typed options. */
export interface JoinChoice {
  readonly url: string;
  /** File of the token; `-`: standard input. */
  readonly tokenFile: string;
  readonly name: string | undefined;
  readonly insecure: boolean;
}

/** The joined machine or gateway, and its fleet. */
interface Joined {
  readonly name: string;
  readonly url: string;
}

/** Makes this machine one of a fleet. @throws {CommandError | AgentDirectoryError | SyncError} with advice. */
export async function joinHere(surroundings: Surroundings, choice: JoinChoice): Promise<Joined> {
  await needPrograms(surroundings);
  return join(surroundings, choice, 'machine');
}

/** Makes a gateway known to a fleet. @throws {CommandError | AgentDirectoryError | SyncError} with advice. */
export function joinGateway(surroundings: Surroundings, choice: JoinChoice): Promise<Joined> {
  return join(surroundings, choice, 'gateway');
}

async function join(
  surroundings: Surroundings,
  { url, tokenFile, name, insecure }: JoinChoice,
  what: 'machine' | 'gateway',
): Promise<Joined> {
  const { environment } = surroundings;
  const isForced = insecure || environment.insecure;
  refuseClearText(url, { isForced, force: 'repeat with --insecure' });
  const source = tokenFile === '-' ? { join: '-', joinFile: undefined } : { join: undefined, joinFile: tokenFile };
  const token = await readJoinToken(surroundings, source);
  const isGateway = what === 'gateway';
  if (token === undefined || readInvitation(token) === null) {
    const made = `drover machine invite${isGateway ? ' --gateway' : ''}`;
    throw new CommandError('usage', `The join token is incomplete: copy all that "${made}" printed, or make a new one`);
  }
  const settings = await readOwnSettings({ ...surroundings, paths: null });
  const { config, paths } = settings;
  using redaction = await openRedaction(surroundings, settings, {
    level: config.agent.log_level,
    file: isGateway ? 'gateway' : 'agent',
  });
  redaction.redactor.add(token);
  const host = config.agent.name ?? environment.hostName;
  const chosen = name ?? (isGateway ? gatewayName(host) : host);
  await joinFleet({
    coordinatorUrl: url,
    dataDir: isGateway ? gatewayDirectory(paths.dataDir) : agentDirectory(paths.dataDir),
    machineName: chosen,
    joinToken: token,
    places: isGateway ? null : placesOf(settings),
    env: environment.variables,
    version: VERSION,
    redactor: redaction.redactor,
    log: redaction.log,
    clock: agentClock,
    ids: () => systemIds.uuid(),
    // Each call has a limit of its own.
    signal: new AbortController().signal,
  });
  return { name: chosen, url };
}
