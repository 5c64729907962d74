// Defines which chats the bot serves, and what people may do there.
import { z } from 'zod';

const tokenFile = (what: string, variable: string) =>
  z
    .string()
    .min(1)
    .optional()
    .describe(
      `File (relative to this one, \`chmod 600\`) with ${what}; or set \`${variable}\`. Unset: no such channel.`,
    );

const address = z.string().regex(/^https?:\/\//u, 'expected a URL that starts with https:// or http://');

/** `[chat]`. */
export const chat = z
  .strictObject({
    role: z
      .enum(['viewer', 'responder', 'operator'])
      .default('responder')
      .describe(
        'The most that people may do through the bot of `drover up`, whatever their own role: a `responder` answers questions, an `operator` also gives and accepts work.',
      ),
    telegram_token_file: tokenFile('the token of a Telegram bot from @BotFather', 'DROVER_TELEGRAM_TOKEN'),
    telegram_api_url: address
      .default('https://api.telegram.org')
      .describe("Address of Telegram's Bot API, or of a local Bot API server."),
    slack_app_token_file: tokenFile('the app token of a Slack app (`xapp-…`)', 'DROVER_SLACK_APP_TOKEN'),
    slack_bot_token_file: tokenFile('the bot token of the same app (`xoxb-…`)', 'DROVER_SLACK_BOT_TOKEN'),
    discord_token_file: tokenFile("the token of a Discord application's bot", 'DROVER_DISCORD_TOKEN'),
    ntfy_url: address.default('https://ntfy.sh').describe('The ntfy server.'),
    ntfy_topic_file: tokenFile(
      'the ntfy topic that shows questions; everybody who knows it can read and answer them, so make it long and random',
      'DROVER_NTFY_TOPIC',
    ),
    ntfy_token_file: tokenFile('an access token, if the ntfy server wants one', 'DROVER_NTFY_TOKEN'),
  })
  .prefault({})
  .describe('Chats in which Drover asks people, and they answer (docs/chat.md).');
