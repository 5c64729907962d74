/** The bot: each channel that is configured runs by itself, and starts and fails apart from the others. */
import type { Channel } from './channel.ts';
import { telegramChannel } from './channels/telegram/telegram.ts';
import type { TelegramOptions } from './channels/telegram/api.ts';
import { coordinatorClient } from './coordinator/client.ts';
import type { Nature } from './ports.ts';
import { runChannel } from './run-channel.ts';

/** The secrets of chats, and where the coordinator is. */
export interface BotOptions {
  readonly url: string;
  /** A bot's token for the coordinator. Secret. */
  readonly token: string;
  /** A word by chance, new at each start. */
  readonly holder: string;
  readonly telegram?: TelegramOptions;
}

/** The names of the channels that these options have. */
export function channelsOf(
  nature: Nature,
  { telegram }: Omit<BotOptions, 'url' | 'token' | 'holder'>,
): readonly Channel[] {
  return telegram === undefined ? [] : [telegramChannel(nature, telegram)];
}

/** Runs until the signal aborts, or until no channel is left. Never throws. */
export async function runBot(nature: Nature, options: BotOptions, signal: AbortSignal): Promise<void> {
  const { url, token, holder } = options;
  await Promise.all(
    channelsOf(nature, options).map((channel) => {
      const coordinator = coordinatorClient(nature, channel.name, { url, token, holder });
      return runChannel(nature, { channel, coordinator, holder }, signal);
    }),
  );
}
