/** `drover server gateway`: serves machines over SSH from here. */
import { readInvitation } from '@drover/protocol';
import { refuseClearText } from '../../client/clear-text.ts';
import { CommandError } from '../../exit-codes.ts';
import { handleStrays } from '../../processes/strays.ts';
import { untilSignalled } from '../../processes/until-signalled.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, text } from '../../program/spec.ts';
import { readJoinToken } from './join-token.ts';

export const command = defineCommand({
  about: 'run only a gateway: it serves the machines that ssh reaches from here',
  example: 'drover server gateway\ndrover server gateway --url https://drover.example.com --join-file join-token',
  more: `"drover gateway join" makes it known once. One gateway serves many machines, and
where several run, one takes over from another that ends. "drover up" has a
gateway of its own. With --url and --join-file one program does both.`,
  isServer: true,
  options: {
    url: text('url', 'the coordinator, or several separated by commas'),
    joinFile: text(
      'file',
      'a file that holds a token of "drover machine invite --gateway", the first time; "-" reads it from standard input',
    ),
    name: text('name', 'the name of this gateway (default: its host name with "-gateway")'),
    insecure: flag('send tokens over plain http to another computer, although others on the network can read them'),
  },
  async run(surroundings, { options: { url: given, joinFile, name, insecure } }) {
    const { gatewayDirectory, joinedUrl } = await import('@drover/machine-agent');
    const { composeGateway } = await import('../../compose/gateway.ts');
    const { openRedaction } = await import('../../compose/redaction.ts');
    const { readOwnSettings } = await import('../../compose/settings.ts');
    const { terminal, environment } = surroundings;
    const settings = await readOwnSettings(surroundings);
    const { config, paths } = settings;
    const named = given ?? config.agent.coordinator_url;
    if (named !== undefined)
      refuseClearText(named, { isForced: insecure || environment.insecure, force: 'repeat with --insecure' });
    const url = named ?? joinedUrl(gatewayDirectory(paths.dataDir));
    if (url === null)
      throw new CommandError(
        'usage',
        'The coordinator is not known: run "drover gateway join URL --token-file FILE" first, give --url, or set agent.coordinator_url',
      );
    const source = joinFile === '-' ? { join: '-', joinFile: undefined } : { join: undefined, joinFile };
    const joinToken = await readJoinToken(surroundings, source);
    if (joinToken !== undefined && readInvitation(joinToken) === null)
      throw new CommandError(
        'usage',
        'The join token is incomplete: copy all that "drover machine invite --gateway" printed, or make a new one',
      );
    const ending = untilSignalled();
    using redaction = await openRedaction(surroundings, settings, { level: config.agent.log_level, file: 'gateway' });
    const { log, redactor } = redaction;
    handleStrays({ log, ending });
    await using gateway = await composeGateway(surroundings, settings, {
      url,
      joinToken,
      name,
      log,
      redactor,
      signal: ending.signal,
    });
    terminal.out(
      terminal.json
        ? JSON.stringify({ pid: process.pid, url })
        : `The gateway in ${gatewayDirectory(paths.dataDir)} is connecting to ${url}.`,
    );
    await ending.asked;
    await gateway.ended;
  },
});
