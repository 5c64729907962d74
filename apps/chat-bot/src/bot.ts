/** Runs the chat bot: each configured channel runs by itself, and starts and fails apart from the others. */
import type { Channel } from './channel.ts';
import { discordChannel } from './channels/discord/discord.ts';
import type { DiscordOptions } from './channels/discord/api.ts';
import { ntfyChannel } from './channels/ntfy/ntfy.ts';
import type { NtfyOptions } from './channels/ntfy/ntfy.ts';
import { slackChannel } from './channels/slack/slack.ts';
import type { SlackOptions } from './channels/slack/api.ts';
import { telegramChannel } from './channels/telegram/telegram.ts';
import type { TelegramOptions } from './channels/telegram/api.ts';
import { coordinatorClient } from './coordinator/client.ts';
import { pause } from '@drover/base';
import type { Nature } from './ports.ts';
import { runChannel } from './run-channel.ts';

/** The secrets of chats, and the address of the coordinator. */
export interface BotOptions {
  readonly url: string;
  /** A bot's token for the coordinator. Secret. */
  readonly token: string;
  /** A random name of this process, new at each start. */
  readonly holder: string;
  readonly telegram?: TelegramOptions;
  readonly slack?: SlackOptions;
  readonly discord?: DiscordOptions;
  readonly ntfy?: NtfyOptions;
  /** Milliseconds until a retry of a channel that only a person can repair; absent: the channel stays off. */
  readonly retryMs?: number;
}

/** Returns the channels of these options. */
export function channelsOf(
  nature: Nature,
  { telegram, slack, discord, ntfy }: Omit<BotOptions, 'url' | 'token' | 'holder' | 'retryMs'>,
): readonly Channel[] {
  return [
    ...(telegram === undefined ? [] : [telegramChannel(nature, telegram)]),
    ...(slack === undefined ? [] : [slackChannel(nature, slack)]),
    ...(discord === undefined ? [] : [discordChannel(nature, discord)]),
    ...(ntfy === undefined ? [] : [ntfyChannel(nature, ntfy)]),
  ];
}

/** Runs until the signal aborts, or until no channel is left. Never throws. */
export async function runBot(nature: Nature, options: BotOptions, signal: AbortSignal): Promise<void> {
  const { url, token, holder, retryMs } = options;
  await Promise.all(
    channelsOf(nature, options).map(async (channel) => {
      const coordinator = coordinatorClient(nature, channel.name, { url, token, holder });
      for (;;) {
        await runChannel(nature, { channel, coordinator, holder }, signal);
        if (signal.aborted || retryMs === undefined) return;
        await pause(nature.clock, retryMs, signal);
      }
    }),
  );
}
