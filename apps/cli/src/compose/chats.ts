/** The chats of this root: their secrets, from the environment or from files that only their owner reads, and the bot that serves them. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Log, messageOf, systemClock } from '@drover/base';
import { runBot, systemHttp, systemRandom, systemSocket } from '@drover/chat-bot';
import type { BotOptions, Http } from '@drover/chat-bot';
import type { Redactor } from '@drover/protocol';
import { askOverHttp } from '../client/http-adapter.ts';
import type { Expected } from '../client/listener-adapter.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Settings } from './settings.ts';

/** The bot's configuration of each chat. */
export interface Chats {
  readonly names: readonly (typeof NAMES)[number][];
  readonly options: Omit<BotOptions, 'url' | 'token' | 'holder'>;
}

interface Reading {
  readonly log: Log;
  readonly redactor: Redactor;
}

/** Reads the chats. A chat whose secret cannot be read is left out, and the log gives the reason: the others continue. */
export async function readChats(
  { environment: { variables } }: Surroundings,
  { config: { chat }, paths }: Settings,
  { log, redactor }: Reading,
): Promise<Chats> {
  const secret = async (variable: string, option: string, file: string | undefined): Promise<string | null> => {
    const given = variables[variable] ?? (file === undefined ? null : await secretIn(path.resolve(paths.root, file)));
    if (given === null) return null;
    if (given instanceof Problem) {
      log('error', `chat.${option}: ${given.says}. This chat is off; the others continue.`);
      return null;
    }
    redactor.add(given);
    return given;
  };
  const telegram = await secret('DROVER_TELEGRAM_TOKEN', 'telegram_token_file', chat.telegram_token_file);
  const appToken = await secret('DROVER_SLACK_APP_TOKEN', 'slack_app_token_file', chat.slack_app_token_file);
  const botToken = await secret('DROVER_SLACK_BOT_TOKEN', 'slack_bot_token_file', chat.slack_bot_token_file);
  if ((appToken === null) !== (botToken === null))
    log(
      'error',
      'Slack needs both an app token (xapp-…) and a bot token (xoxb-…): one is missing. Slack is off; the others continue.',
    );
  const discord = await secret('DROVER_DISCORD_TOKEN', 'discord_token_file', chat.discord_token_file);
  const topic = await secret('DROVER_NTFY_TOPIC', 'ntfy_topic_file', chat.ntfy_topic_file);
  const ntfyToken = await secret('DROVER_NTFY_TOKEN', 'ntfy_token_file', chat.ntfy_token_file);
  const ntfy = { url: chat.ntfy_url.replace(/(?<!\/)\/+$/u, ''), ...(ntfyToken !== null && { token: ntfyToken }) };
  const options = {
    ...(telegram !== null && { telegram: { token: telegram, apiUrl: chat.telegram_api_url } }),
    ...(appToken !== null && botToken !== null && { slack: { appToken, botToken } }),
    ...(discord !== null && { discord: { token: discord } }),
    ...(topic !== null && { ntfy: { ...ntfy, topic } }),
  };
  return { names: NAMES.filter((name) => options[name] !== undefined), options };
}

const NAMES = ['telegram', 'slack', 'discord', 'ntfy'] as const;

/** Reason why a file gives no secret. */
class Problem {
  readonly says: string;

  constructor(says: string) {
    this.says = says;
  }
}

async function secretIn(file: string): Promise<string | Problem> {
  try {
    const { mode } = await stat(file);
    if ((mode & 0o077) !== 0)
      return new Problem(`other users of this computer can read ${file}: chmod 600 ${file}, and make a new token`);
    const secret = (await readFile(file, 'utf8')).trim();
    if (secret === '' || /\s/u.test(secret))
      return new Problem(`${file} contains no token: expected one line with the token`);
    return secret;
  } catch (error) {
    return new Problem(`cannot read ${file}: ${messageOf(error)}`);
  }
}

/** Starts the bot. Disposing ends the bot, and releases its channels. */
export function composeBot(
  { options }: Chats,
  {
    url,
    token,
    log,
    holder,
    retryMs,
    expected,
  }: {
    readonly url: string;
    readonly token: string;
    readonly log: Log;
    /** A random name, new at each start. */
    readonly holder: string;
    /** Milliseconds until a retry of a chat that is off; absent: the chat stays off. */
    readonly retryMs?: number;
    /** The coordinator that must prove its identity at `url`; absent: the coordinator is this process, or TLS proves it. */
    readonly expected?: Expected | undefined;
  },
): AsyncDisposable & { readonly over: Promise<void> } {
  const stop = new AbortController();
  const nature = { clock: systemClock, log, http: httpOf(url, expected), socket: systemSocket, random: systemRandom };
  const over = runBot(
    nature,
    { url, token, holder, ...options, ...(retryMs !== undefined && { retryMs }) },
    stop.signal,
  );
  return {
    over,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await over;
    },
  };
}

/** Sends calls for the coordinator to the expected one alone; calls of chat services go unchanged. */
function httpOf(coordinatorUrl: string, expected: Expected | undefined): Http {
  if (expected === undefined) return systemHttp;
  return async (url, request) => {
    if (!url.startsWith(`${coordinatorUrl}/`)) return systemHttp(url, request);
    const { status, text } = await askOverHttp(url, { ...request, expected });
    return { status, text, headers: { get: () => null } };
  };
}
