/** Joins a fleet with the settings of this machine, which are those of the person and of no root. */
import { systemIds } from '@drover/coordinator';
import { agentDirectory, joinFleet } from '@drover/machine-agent';
import { readInvitation } from '@drover/protocol';
import { refuseClearText } from '../client/clear-text.ts';
import { readJoinToken } from '../commands/servers/join-token.ts';
import { CommandError } from '../exit-codes.ts';
import type { Surroundings } from '../surroundings.ts';
import { VERSION } from '../version.ts';
import { agentClock, placesOf } from './agent.ts';
import { needPrograms } from './programs.ts';
import { openRedaction } from './redaction.ts';
import { readOwnSettings } from './settings.ts';

/** What was typed. */
export interface JoinChoice {
  readonly url: string;
  /** `-`: standard input. */
  readonly tokenFile: string;
  readonly name: string | undefined;
  readonly insecure: boolean;
}

/** @throws {CommandError | AgentDirectoryError | SyncError} with what to do. */
export async function joinHere(
  surroundings: Surroundings,
  { url, tokenFile, name, insecure }: JoinChoice,
): Promise<{ readonly name: string; readonly url: string }> {
  const { environment } = surroundings;
  const isForced = insecure || environment.insecure;
  refuseClearText(url, { isForced, force: 'repeat with --insecure' });
  const source = tokenFile === '-' ? { join: '-', joinFile: undefined } : { join: undefined, joinFile: tokenFile };
  const token = await readJoinToken(surroundings, source);
  if (token === undefined || readInvitation(token) === null)
    throw new CommandError(
      'usage',
      'The join token is not whole: copy all of what "drover machines invite" printed, or make a new one',
    );
  await needPrograms(surroundings);
  const settings = await readOwnSettings({ ...surroundings, paths: null });
  const { config, paths } = settings;
  using redaction = await openRedaction(surroundings, settings, { level: config.agent.log_level, file: 'agent' });
  redaction.redactor.add(token);
  const machineName = name ?? config.agent.name ?? environment.hostName;
  await joinFleet({
    coordinatorUrl: url,
    dataDir: agentDirectory(paths.dataDir),
    machineName,
    joinToken: token,
    places: placesOf(settings),
    env: environment.variables,
    version: VERSION,
    redactor: redaction.redactor,
    log: redaction.log,
    clock: agentClock,
    ids: () => systemIds.uuid(),
    // Each call has a limit of its own.
    signal: new AbortController().signal,
  });
  return { name: machineName, url };
}
