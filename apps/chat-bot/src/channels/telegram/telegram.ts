/** Telegram: updates by long poll. An update is confirmed, by asking for the next one, only after the coordinator has stored it. X1. */
import type { PressOutcome, SaidAnswer } from '@drover/protocol/channels';
import { ChannelError } from '../../channel.ts';
import type { Channel, Ears } from '../../channel.ts';
import { keyOf } from '../../cards/keys.ts';
import { readPayload } from '../../cards/payload.ts';
import { harmless } from '../../cards/card-text.ts';
import { pause } from '@drover/base';
import type { Nature } from '../../ports.ts';
import { callbackSchema, meSchema, messageSchema, TelegramError, telegramCall, updatesSchema } from './api.ts';
import type { Call, TelegramCallback, TelegramMessage, TelegramOptions } from './api.ts';
import { edited, keyboard, showCard } from './show.ts';

/** Seconds that Telegram holds a poll. */
const POLL_SECS = 25;
/** Milliseconds until the next try after a 409, which another polling program causes. */
const CONFLICT_MS = 5_000;
/** Characters of an answer to a press. Source: answerCallbackQuery. */
const ANSWER_MAX = 200;

export function telegramChannel(nature: Nature, options: TelegramOptions): Channel {
  const call = telegramCall(nature, options);
  return {
    name: 'telegram',
    show: (delivery, signal) => showCard(call, delivery, signal),
    listen: (desk, signal) => listen({ nature, call, desk }, signal),
  };
}

async function listen(ears: Ears<Call>, signal: AbortSignal): Promise<void> {
  const { nature, call } = ears;
  let offset: number | undefined;
  let username: string | undefined;
  let isTold = false;
  while (!signal.aborted) {
    try {
      username ??= meSchema.parse(await call('getMe', {}, { signal })).username;
      const parameters = {
        timeout: POLL_SECS,
        allowed_updates: ['message', 'callback_query'],
        ...(offset !== undefined && { offset }),
      };
      const updates = updatesSchema.parse(await call('getUpdates', parameters, { waitMs: POLL_SECS * 1_000, signal }));
      isTold = false;
      for (const update of updates.toSorted((one, other) => one.update_id - other.update_id)) {
        if (offset !== undefined && update.update_id < offset) continue;
        await take(ears, update, username);
        offset = update.update_id + 1;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof TelegramError)) throw error;
      if (error.code === 401 || error.code === 404)
        throw new ChannelError(
          'Telegram does not accept this token: put the token of @BotFather into DROVER_TELEGRAM_TOKEN or chat.telegram.token_file',
          { cause: error },
        );
      if (!isTold) nature.log('warn', `telegram: ${wordsOf(error)}`);
      isTold = true;
      await pause(
        nature.clock,
        error.retryAfterMs ?? (error.code === 409 ? CONFLICT_MS : 1_000 + 2_000 * nature.random()),
        signal,
      );
    }
  }
}

function wordsOf({ code, message }: TelegramError): string {
  if (code !== 409) return message;
  return /webhook/iu.test(message)
    ? 'another program has set a webhook for this bot: use a separate bot for Drover, or remove the webhook with deleteWebhook'
    : 'another program polls with this token: use a separate bot for Drover. Retrying';
}

async function take(
  ears: Ears<Call>,
  update: { message?: unknown; callback_query?: unknown },
  username: string,
): Promise<void> {
  const callback = callbackSchema.safeParse(update.callback_query);
  if (callback.success) return takePress(ears, callback.data);
  const message = messageSchema.safeParse(update.message);
  if (message.success) return takeMessage(ears, message.data, username);
}

async function takePress(
  { nature, call, desk }: Ears<Call>,
  { id, from, data = '', message }: TelegramCallback,
): Promise<void> {
  const button = readPayload(data);
  const outcome: PressOutcome =
    button === null
      ? { kind: 'not-allowed', says: 'This button does not belong to Drover.' }
      : await desk.press({ key: keyOf(`telegram press ${id}`), subject: String(from.id), button });
  // Stored: later failures do not matter.
  const address = message === undefined ? String(from.id) : String(message.chat.id);
  const alert = outcome.kind === 'not-allowed';
  const quiet = quietly(nature);
  await quiet(call('answerCallbackQuery', { callback_query_id: id, text: shortened(outcome.says), show_alert: alert }));
  if (outcome.kind === 'needs-text')
    await quiet(call('sendMessage', askForWords({ address, says: outcome.says, data })));
  else if ('card' in outcome && outcome.card !== null && message !== undefined)
    await quiet(edited(call, { address, ref: String(message.message_id), card: outcome.card }));
}

/** Asks for a text by a forced reply. Its last line carries the button, so that the reply finds it after any restart. */
function askForWords({
  address,
  says,
  data,
}: {
  address: string;
  says: string;
  data: string;
}): Readonly<Record<string, unknown>> {
  return {
    chat_id: address,
    text: `${harmless(says)} Send them as a reply to this message.\n[${data}]`,
    reply_markup: { force_reply: true, input_field_placeholder: 'Your text', selective: true },
  };
}

/** @param username Name of this bot: in a group a command may be for another bot. */
async function takeMessage(ears: Ears<Call>, message: TelegramMessage, username: string): Promise<void> {
  const { nature, call, desk } = ears;
  const { from, chat, text = '', message_id: id, reply_to_message: asked } = message;
  // A group became a supergroup: the old chat names the new one, and the new chat the old one.
  const { migrate_to_chat_id: to = chat.id, migrate_from_chat_id: before = chat.id } = message;
  if (to !== before) return desk.move({ from: String(before), to: String(to) });
  if (from === undefined || text === '') return;
  const subject = String(from.id);
  const address = String(chat.id);
  const quiet = quietly(nature);
  const say = (says: SaidAnswer): Promise<void> => quiet(call('sendMessage', answerOf(address, says)));
  const [, payload] = /\n\[([^\]\n]+)\]$/u.exec(asked?.text ?? '') ?? [];
  const button = payload === undefined ? null : readPayload(payload);
  const key = keyOf(`telegram message ${address} ${id}`);
  if (button !== null) {
    const outcome = await desk.press({ key, subject, button, text });
    await say({ isDone: true, says: outcome.says, buttons: [] });
    return;
  }
  const [, verb = '', bot = username, rest = ''] = /^\/([a-z]+)(?:@(\w+))?\s*([\s\S]*)$/iu.exec(text) ?? [];
  if (bot.toLowerCase() !== username.toLowerCase()) return;
  const isPrivate = chat.type === 'private';
  if (verb === 'link' || (verb === 'start' && isPrivate && rest !== '' && /^[\w-]{8,20}$/u.test(rest))) {
    const code = rest.trim();
    if (!isPrivate) return say(NOT_HERE);
    return say(code === '' ? NO_CODE : await desk.link({ subject, address, code: code.slice(0, 100) }));
  }
  if (verb === 'drover') return say(await desk.command({ key, subject, address, words: rest }));
  if (isPrivate) return say(await desk.command({ key, subject, address, words: 'help' }));
}

const NOT_HERE: SaidAnswer = {
  isDone: false,
  says: 'Everybody in this chat has now seen this code: make a new one and send it to me in a private chat.',
  buttons: [],
};
const NO_CODE: SaidAnswer = { isDone: false, says: '"drover user link" prints a code: /link CODE', buttons: [] };

function answerOf(address: string, { says, buttons }: SaidAnswer): Readonly<Record<string, unknown>> {
  return {
    chat_id: address,
    text: harmless(says).slice(0, 4_096) || '…',
    link_preview_options: { is_disabled: true },
    ...(buttons.length > 0 && { reply_markup: keyboard(buttons) }),
  };
}

/** Logs the failure of a message that follows storing: the card shows the result too. */
function quietly({ log }: Nature): (said: Promise<unknown>) => Promise<void> {
  return async (said) => {
    await said.catch((error: unknown) => log('debug', `telegram: ${String(error)}`));
  };
}

function shortened(text: string): string {
  return harmless(text).slice(0, ANSWER_MAX);
}
