/** `drover agent`: the machine agent alone, for a machine of a fleet. */
import { readInvitation } from '@drover/protocol';
import { refuseClearText } from '../../client/clear-text.ts';
import { composeAgent } from '../../compose/agent.ts';
import { needPrograms } from '../../compose/programs.ts';
import { openRedaction } from '../../compose/redaction.ts';
import { readSettings } from '../../compose/settings.ts';
import { readJoinToken } from './join-token.ts';
import { untilSignalled } from '../../processes/until-signalled.ts';
import { CommandError } from '../../exit-codes.ts';
import { flag, text } from '../../program/options.ts';
import { handleStrays } from '../../processes/strays.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  _args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, environment } = surroundings;
  const settings = await readSettings(surroundings, {});
  await needPrograms(surroundings);
  const { config, paths } = settings;
  const url = text(options, 'url') ?? config.agent.coordinator_url;
  if (url === undefined) throw new CommandError('usage', 'Which coordinator? Give --url, or set agent.coordinator_url');
  const isForced = flag(options, 'insecure') || environment.insecure;
  refuseClearText(url, { isForced, force: 'repeat with --insecure' });
  const joinToken = await readJoinToken(surroundings, options);
  if (joinToken !== undefined && readInvitation(joinToken) === null) {
    const message = 'The join token is not whole: copy all of what "drover machines invite" printed, or make a new one';
    throw new CommandError('usage', message);
  }
  const ending = untilSignalled();
  using redaction = await openRedaction(surroundings, settings, config.agent.log_level);
  handleStrays({ log: redaction.log, ending });
  await using agent = await composeAgent(surroundings, settings, {
    url,
    joinToken,
    name: text(options, 'name'),
    log: redaction.log,
    redactor: redaction.redactor,
    signal: ending.signal,
  });
  terminal.out(
    terminal.json
      ? JSON.stringify({ pid: process.pid, root: paths.root })
      : `The machine agent of ${paths.root} talks to ${url}.`,
  );
  await ending.asked;
  await agent.ended;
}
