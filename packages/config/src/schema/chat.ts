// Which chats does the bot serve, and what may people do there?
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
  })
  .prefault({})
  .describe('Chats in which people are asked and answer: docs/chat.md.');
