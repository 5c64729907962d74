/** Cards in Slack: blocks with buttons, updated when the question changes. Texts are plain, so that nothing in them is read as markup. */
import type { Card, Delivery } from '@drover/protocol/channels';
import { cardText, labelOf } from '../../cards/card-text.ts';
import type { Labelled } from '../../cards/card-text.ts';
import { payloadOf } from '../../cards/payload.ts';
import type { Shown } from '../../channel.ts';
import { SlackError } from './api.ts';
import type { Call } from './api.ts';

/** Characters of a block of text. Source: Block Kit, section. */
const BLOCK_MAX = 3_000;
/** Buttons of one block. Source: Block Kit, actions. */
const ROW_MAX = 25;

/** Makes the message of a card. */
export function cardMessage(card: Card): { readonly text: string; readonly blocks: readonly object[] } {
  const { head, body, pane, state, buttons } = cardText(card);
  const texts = [head, body, state].map((text) => text.slice(0, BLOCK_MAX));
  const [first = '', second = '', last = ''] = texts;
  const preformatted = {
    type: 'rich_text_preformatted',
    elements: [{ type: 'text', text: pane.join('\n').slice(0, BLOCK_MAX) }],
  };
  return {
    // Text of a notice on a phone.
    text: escaped(`${head} ${state}`),
    blocks: [
      section(first),
      ...(second === '' ? [] : [section(second)]),
      ...(pane.length === 0 ? [] : [{ type: 'rich_text', elements: [preformatted] }]),
      section(last),
      ...rows(buttons),
    ],
  };
}

/** Makes blocks with buttons. */
export function rows(buttons: readonly Labelled[]): object[] {
  const elements = buttons.flatMap(({ label, button }, index) => {
    const value = payloadOf(button);
    const text = { type: 'plain_text', text: labelOf(label) };
    return value === null ? [] : [{ type: 'button', action_id: `drover-${index}`, text, value }];
  });
  const count = Math.ceil(elements.length / ROW_MAX);
  return Array.from({ length: count }, (_, row) => ({
    type: 'actions',
    elements: elements.slice(row * ROW_MAX, (row + 1) * ROW_MAX),
  }));
}

/** Makes a block of plain text. */
export function section(text: string): object {
  return { type: 'section', text: { type: 'plain_text', text: text || ' ', emoji: true } };
}

/** Escapes a text for places where Slack reads markup. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Posts a card, or updates the existing one; then a ping is an answer in its thread. */
export async function showCard(
  call: Call,
  { address, ref, ping, card }: Delivery,
  signal: AbortSignal,
): Promise<Shown> {
  try {
    if (ref !== null && (await updated(call, ref, card))) {
      const [channel, ts] = partsOf(ref);
      const still = { channel, thread_ts: ts, reply_broadcast: true, text: 'This still waits for an answer.' };
      if (ping) await call('chat.postMessage', still, { signal });
      return { kind: 'shown', ref };
    }
    const body = { channel: address, unfurl_links: false, unfurl_media: false, ...cardMessage(card) };
    const { channel, ts } = await call('chat.postMessage', body, { signal });
    return { kind: 'shown', ref: `${String(channel)}:${String(ts)}` };
  } catch (error) {
    if (!(error instanceof SlackError))
      return { kind: 'failed', error: String(error), retryAfterMs: null, isFinal: false };
    return {
      kind: 'failed',
      error: error.message,
      retryAfterMs: error.retryAfterMs,
      isFinal: FOR_GOOD.has(error.code),
    };
  }
}

/** Errors that need a person: the bot must be let in again, or the chat does not exist. */
const FOR_GOOD: ReadonlySet<string> = new Set([
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'user_not_found',
  'user_disabled',
  'cannot_dm_bot',
]);

/** @returns false if the card no longer exists. */
export async function updated(call: Call, ref: string, card: Card): Promise<boolean> {
  const [channel, ts] = partsOf(ref);
  try {
    await call('chat.update', { channel, ts, ...cardMessage(card) });
    return true;
  } catch (error) {
    if (error instanceof SlackError && (error.code === 'message_not_found' || error.code === 'cant_update_message'))
      return false;
    throw error;
  }
}

function partsOf(ref: string): readonly [string, string] {
  const [channel = '', ts = ''] = ref.split(':');
  return [channel, ts];
}
