/** `drover server bot`: runs the chat bot alone, beside a coordinator that runs elsewhere. */
import { expectedAt, expectedBy } from '../../client/client.ts';
import { refuseClearText } from '../../client/clear-text.ts';
import { readEndpoint } from '../../client/endpoint.ts';
import { CommandError } from '../../exit-codes.ts';
import { handleStrays } from '../../processes/strays.ts';
import { untilSignalled } from '../../processes/until-signalled.ts';
import { defineCommand } from '../../program/define.ts';
import { flag } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'run only the chat bot; "drover up" includes it when chats are configured',
  example: 'DROVER_TOKEN=drv_… DROVER_TELEGRAM_TOKEN=… drover server bot',
  isServer: true,
  options: {
    insecure: flag('send tokens over plain http to another computer, although others on the network can read them'),
  },
  async run(surroundings, { options: { insecure } }) {
    const { composeBot, readChats } = await import('../../compose/chats.ts');
    const { openRedaction } = await import('../../compose/redaction.ts');
    const { readOwnSettings } = await import('../../compose/settings.ts');
    const { environment, terminal } = surroundings;
    const { token } = environment;
    const settings = await readOwnSettings(surroundings);
    const endpoint = environment.url === undefined ? await readEndpoint(settings.paths.dataDir) : null;
    const url = environment.url ?? endpoint?.url;
    if (url === undefined) throw new CommandError('usage', 'The coordinator is not known: set DROVER_URL');
    if (token === undefined) {
      const how = 'drover auth token create bot --role responder --channels telegram';
      throw new CommandError('usage', `The bot needs its own token: set DROVER_TOKEN to the output of "${how}"`);
    }
    refuseClearText(url, { isForced: insecure || environment.insecure, force: 'repeat with --insecure' });
    const expected = endpoint === null ? await expectedAt(environment, url) : expectedBy(endpoint);
    const ending = untilSignalled();
    using redaction = await openRedaction(surroundings, settings, {
      level: settings.config.coordinator.log_level,
      file: 'bot',
    });
    const { log, redactor } = redaction;
    redactor.add(token);
    handleStrays({ log, ending });
    const chats = await readChats(surroundings, settings, { log, redactor });
    if (chats.names.length === 0)
      throw new CommandError(
        'usage',
        'No chat is configured: set DROVER_TELEGRAM_TOKEN, or [chat] in drover.toml (docs/chat.md)',
      );
    await using bot = composeBot(chats, { url, token, log, holder: surroundings.uuid(), expected });
    const { root } = settings;
    terminal.out(
      terminal.json
        ? JSON.stringify({ pid: process.pid, root, channels: chats.names })
        : `The bot serves ${chats.names.join(', ')} for ${url}.`,
    );
    const ended = await Promise.race([ending.asked, bot.over.then(() => 'over' as const)]);
    if (ended === 'over') throw new CommandError('refused', 'The bot cannot serve any chat; the log above says why');
  },
});
