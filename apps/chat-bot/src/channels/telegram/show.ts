/** Cards in Telegram: a message with buttons below it, edited when the question changes. */
import type { Card, Delivery } from '@drover/protocol/channels';
import type { Shown } from '../../channel.ts';
import { payloadOf } from '../../cards/payload.ts';
import { cardText, labelOf } from '../../cards/card-text.ts';
import type { Labelled } from '../../cards/card-text.ts';
import { TelegramError } from './api.ts';
import type { Call } from './api.ts';

/** Characters of a message. Source: sendMessage. */
const TEXT_MAX = 4_096;

/** Makes the text and the buttons of a card. */
export function cardMessage(card: Card): {
  readonly text: string;
  readonly entities: readonly object[];
  readonly reply_markup: object;
} {
  const { head, body, pane, state, buttons } = cardText(card);
  const block = pane.join('\n');
  const before = [head, ...(body === '' ? [] : [body])].join('\n\n');
  const text = [before, ...(block === '' ? [] : [block]), state].join('\n\n').slice(0, TEXT_MAX);
  // Offsets are in units of UTF-16, as lengths of strings are.
  const entities = block === '' ? [] : [{ type: 'pre', offset: before.length + 2, length: block.length }];
  return { text, entities, reply_markup: keyboard(buttons) };
}

/** Makes buttons below a message, one in a row. */
export function keyboard(buttons: readonly Labelled[]): object {
  const rows = buttons.flatMap(({ label, button }) => {
    const payload = payloadOf(button);
    return payload === null ? [] : [[{ text: labelOf(label), callback_data: payload }]];
  });
  return { inline_keyboard: rows };
}

/** Posts a card, or edits the existing one. A ping for an existing card is a short reply to it, because an edit is silent. */
export async function showCard(
  call: Call,
  { address, ref, ping, card }: Delivery,
  signal: AbortSignal,
): Promise<Shown> {
  try {
    const isThere = ref !== null && (await edited(call, { address, ref, card, signal }));
    if (isThere) {
      if (ping) await call('sendMessage', reminder(address, ref), { signal });
      return { kind: 'shown', ref };
    }
    const sent = await call(
      'sendMessage',
      {
        chat_id: address,
        ...cardMessage(card),
        link_preview_options: { is_disabled: true },
        disable_notification: !ping,
      },
      { signal },
    );
    const { message_id: id } = sent as { readonly message_id: number };
    return { kind: 'shown', ref: String(id) };
  } catch (error) {
    if (!(error instanceof TelegramError))
      return { kind: 'failed', error: String(error), retryAfterMs: null, isFinal: false };
    if (error.movedTo !== null) return { kind: 'moved', to: error.movedTo };
    return { kind: 'failed', error: error.message, retryAfterMs: error.retryAfterMs, isFinal: isForGood(error) };
  }
}

function reminder(address: string, ref: string): Readonly<Record<string, unknown>> {
  return {
    chat_id: address,
    text: '⏰ This still waits for an answer.',
    reply_parameters: { message_id: Number(ref), allow_sending_without_reply: true },
  };
}

/** @returns false if the card no longer exists. */
export async function edited(
  call: Call,
  {
    address,
    ref,
    card,
    signal,
  }: { readonly address: string; readonly ref: string; readonly card: Card; readonly signal?: AbortSignal },
): Promise<boolean> {
  const parameters = {
    chat_id: address,
    message_id: Number(ref),
    ...cardMessage(card),
    link_preview_options: { is_disabled: true },
  };
  try {
    await call('editMessageText', parameters, { ...(signal !== undefined && { signal }) });
    return true;
  } catch (error) {
    if (!(error instanceof TelegramError) || error.code !== 400) throw error;
    if (/not modified/iu.test(error.message)) return true;
    if (/message to edit not found|can't be edited|MESSAGE_ID_INVALID/iu.test(error.message)) return false;
    throw error;
  }
}

/** Tells whether a person must let the bot in again: it was thrown out or blocked, or the chat does not exist. */
function isForGood({ code, message }: TelegramError): boolean {
  return code === 403 || (code === 400 && /chat not found|PEER_ID_INVALID/iu.test(message));
}
