// Defines which chats the bot serves, and what people may do there.
import { z } from 'zod';

const tokenFile = (what: string, variable: string) =>
  z
    .string()
    .min(1)
    .optional()
    .describe(
      `File that holds ${what} and that only its owner reads (\`chmod 600\`); relative to this file. The variable \`${variable}\` does the same without a file. Unset: no such channel.`,
    );

const address = z.string().regex(/^https?:\/\//u, 'expected a URL that starts with https:// or http://');

/** `[chat]`. */
export const chat = z
  .strictObject({
    role: z
      .enum(['viewer', 'responder', 'operator'])
      .default('responder')
      .describe(
        'The most that people may do by the bot that `drover up` runs, whatever their own role: `responder` answers questions, `operator` may also give work and accept it.',
      ),
    telegram_token_file: tokenFile('the token of a Telegram bot, as @BotFather gives it', 'DROVER_TELEGRAM_TOKEN'),
    telegram_api_url: address
      .default('https://api.telegram.org')
      .describe('Where the Bot API of Telegram is: another address for a local Bot API server.'),
    slack_app_token_file: tokenFile('the app token of a Slack app (`xapp-…`)', 'DROVER_SLACK_APP_TOKEN'),
    slack_bot_token_file: tokenFile('its bot token (`xoxb-…`), which is needed too', 'DROVER_SLACK_BOT_TOKEN'),
    discord_token_file: tokenFile("the token of a Discord application's bot", 'DROVER_DISCORD_TOKEN'),
    ntfy_url: address.default('https://ntfy.sh').describe('The ntfy server.'),
    ntfy_topic_file: tokenFile(
      'the topic of ntfy where questions are shown: who knows it reads and answers them, so make it long and random,',
      'DROVER_NTFY_TOPIC',
    ),
    ntfy_token_file: tokenFile('an access token of the ntfy server, where it wants one', 'DROVER_NTFY_TOKEN'),
  })
  .prefault({})
  .describe('Chats in which people are asked and answer: docs/chat.md.');
