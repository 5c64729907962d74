/** `drover server agent`: runs the machine agent alone, for a machine of a fleet. */
import { readInvitation } from '@drover/protocol';
import { refuseClearText } from '../../client/clear-text.ts';
import { CommandError } from '../../exit-codes.ts';
import { compileWhenBusy } from '../../processes/busy-compiler.ts';
import { handleStrays } from '../../processes/strays.ts';
import { untilSignalled } from '../../processes/until-signalled.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, text } from '../../program/spec.ts';
import { readJoinToken } from './join-token.ts';

export const command = defineCommand({
  about: 'run the machine agent alone',
  example: 'drover server agent\ndrover server agent --url https://drover.example.com --join-file join-token',
  more: `"drover machine join" makes this machine one of a fleet once, and the agent
knows its coordinator from then on. With --url and --join-file one program does
both: for a container, whose disk begins empty.`,
  isServer: true,
  options: {
    url: text('url', 'the coordinator, or several separated by commas'),
    join: text('token', 'a token of "drover machine invite", the first time; "-" reads it from standard input'),
    joinFile: text('file', 'a file that holds that token: unlike an argument, other users cannot read it'),
    name: text('name', 'the name of this machine (default: its host name)'),
    tmuxScope: flag('start each tmux server in its own systemd scope, as the service does'),
    untilConnected: flag(
      'exit with success when the coordinator has answered; "drover machine upgrade" tests a new version with it',
    ),
    insecure: flag('send tokens over plain http to another computer, although others on the network can read them'),
  },
  async run(surroundings, { options }) {
    const { composeAgent } = await import('../../compose/agent.ts');
    const { needDirectories, needPrograms } = await import('../../compose/programs.ts');
    const { openRedaction } = await import('../../compose/redaction.ts');
    const { readOwnSettings } = await import('../../compose/settings.ts');
    const { terminal, environment } = surroundings;
    const settings = await readOwnSettings(surroundings);
    await needPrograms(surroundings);
    const { config, paths, root } = settings;
    needDirectories([paths.dataDir, ...(config.agent.workspace === undefined ? [] : [config.agent.workspace])]);
    const named = options.url ?? config.agent.coordinator_url;
    const isForced = options.insecure || environment.insecure;
    // The owner of the machine allowed clear text, or not, when it joined.
    if (named !== undefined) refuseClearText(named, { isForced, force: 'repeat with --insecure' });
    const url = named ?? (await joined(paths.dataDir));
    if (url === undefined)
      throw new CommandError(
        'usage',
        'The coordinator is not known: run "drover machine join URL --token-file FILE" first, give --url, or set agent.coordinator_url',
      );
    const joinToken = await readJoinToken(surroundings, options);
    if (joinToken !== undefined && readInvitation(joinToken) === null) {
      const message = 'The join token is incomplete: copy all that "drover machine invite" printed, or make a new one';
      throw new CommandError('usage', message);
    }
    const ending = untilSignalled();
    using redaction = await openRedaction(surroundings, settings, { level: config.agent.log_level, file: 'agent' });
    handleStrays({ log: redaction.log, ending });
    compileWhenBusy();
    const connected = Promise.withResolvers<void>();
    await using agent = await composeAgent(surroundings, settings, {
      url,
      joinToken,
      name: options.name,
      tmuxScope: options.tmuxScope,
      onConnected: connected.resolve,
      log: redaction.log,
      redactor: redaction.redactor,
      signal: ending.signal,
    });
    terminal.out(
      terminal.json
        ? JSON.stringify({ pid: process.pid, root })
        : `The machine agent ${root === null ? `in ${paths.dataDir}` : `of ${root}`} is connecting to ${url}.`,
    );
    await (options.untilConnected ? Promise.race([connected.promise, ending.asked]) : ending.asked);
    // Parts that end by the signal, such as a watch on files, would keep this process alive.
    ending.end();
    await agent.ended;
  },
});

/** Returns the address of the fleet that the machine joined by "drover machine join". */
async function joined(dataDir: string): Promise<string | undefined> {
  const { agentDirectory, joinedUrl } = await import('@drover/machine-agent');
  return joinedUrl(agentDirectory(dataDir)) ?? undefined;
}
