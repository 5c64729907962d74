/**
 * Cards in Discord: a message with buttons, edited when the question changes. An enforced nonce keeps a repeated post
 * from creating a second card.
 */
import { createHash } from 'node:crypto';
import type { Card, Delivery } from '@drover/protocol/channels';
import { cardText, labelOf } from '../../cards/card-text.ts';
import type { Labelled } from '../../cards/card-text.ts';
import { payloadOf } from '../../cards/payload.ts';
import type { Shown } from '../../channel.ts';
import { DiscordError } from './api.ts';
import type { Call } from './api.ts';

/** Characters of a message. Source: create message. */
export const CONTENT_MAX = 2_000;
/** Buttons of a row, and rows. Source: message components. */
const ROW_MAX = 5;
const ROWS_MAX = 5;
/** Mentions no person, whatever a text says. */
const NO_MENTIONS = { parse: [] };
/** Flag: the message gives no alarm. Source: message flags. */
const SILENT = 4_096;
/** Flag: Discord fetches no address that a text names. */
const NO_EMBEDS = 4;
/** Characters of a nonce. */
const NONCE_MAX = 25;

/** Makes the message of a card. */
export function cardMessage(card: Card): {
  readonly content: string;
  readonly components: readonly object[];
  readonly allowed_mentions: object;
  readonly flags: number;
} {
  const { head, body, pane, state, buttons } = cardText(card);
  const around = [plain(head).slice(0, 700), plain(state)].join('\n\n');
  const shownBody = plain(body).slice(0, Math.max(0, CONTENT_MAX - around.length - 4));
  const room = CONTENT_MAX - around.length - shownBody.length - 20;
  // The end of the pane is closest to the question.
  const lines = pane.join('\n').replaceAll('```', "'''").slice(-Math.max(0, room));
  const block = pane.length === 0 || room < 40 ? [] : [`\`\`\`\n${lines}\n\`\`\``];
  const content = [plain(head).slice(0, 700), ...(shownBody === '' ? [] : [shownBody]), ...block, plain(state)].join(
    '\n\n',
  );
  return {
    content: content.slice(0, CONTENT_MAX),
    components: rows(buttons),
    allowed_mentions: NO_MENTIONS,
    flags: NO_EMBEDS,
  };
}

/** Escapes Discord's markup in a text. */
export function plain(text: string): string {
  return text.replaceAll(/[\\*_~`|>#[\]<]/gu, String.raw`\$&`);
}

/** Makes rows of buttons. */
export function rows(buttons: readonly Labelled[]): object[] {
  const all = buttons.slice(0, ROW_MAX * ROWS_MAX).flatMap(({ label, button }) => {
    const payload = payloadOf(button);
    return payload === null ? [] : [{ type: 2, style: 2, label: labelOf(label), custom_id: payload }];
  });
  const count = Math.ceil(all.length / ROW_MAX);
  return Array.from({ length: count }, (_, row) => ({
    type: 1,
    components: all.slice(row * ROW_MAX, (row + 1) * ROW_MAX),
  }));
}

/** Posts a card, or edits the existing one; then a ping is a reply to it. */
export async function showCard(
  call: Call,
  { address, ref, ping, pings, card }: Delivery,
  signal: AbortSignal,
): Promise<Shown> {
  try {
    if (ref !== null && (await edited(call, { address, ref, card }))) {
      const still = {
        content: 'This still waits for an answer.',
        message_reference: { message_id: ref, fail_if_not_exists: false },
        allowed_mentions: NO_MENTIONS,
      };
      if (ping) await call('POST', `/channels/${address}/messages`, { body: still, signal });
      return { kind: 'shown', ref };
    }
    const nonce = createHash('sha256')
      .update(`${card.escalation} ${address} ${pings}`)
      .digest('hex')
      .slice(0, NONCE_MAX);
    const body = { ...cardMessage(card), nonce, enforce_nonce: true, flags: ping ? NO_EMBEDS : NO_EMBEDS | SILENT };
    const { id } = await call('POST', `/channels/${address}/messages`, { body, signal });
    return { kind: 'shown', ref: String(id) };
  } catch (error) {
    if (!(error instanceof DiscordError))
      return { kind: 'failed', error: String(error), retryAfterMs: null, isFinal: false };
    return {
      kind: 'failed',
      error: error.message,
      retryAfterMs: error.retryAfterMs,
      isFinal: FOR_GOOD.has(error.code),
    };
  }
}

/** Unknown channel, no access, no direct messages, no permission: a person must let the bot in again. */
const FOR_GOOD: ReadonlySet<number> = new Set([10_003, 50_001, 50_007, 50_013]);
const UNKNOWN_MESSAGE = 10_008;

/** @returns false if the card no longer exists. */
export async function edited(
  call: Call,
  { address, ref, card }: { readonly address: string; readonly ref: string; readonly card: Card },
): Promise<boolean> {
  try {
    await call('PATCH', `/channels/${address}/messages/${ref}`, { body: cardMessage(card) });
    return true;
  } catch (error) {
    if (error instanceof DiscordError && error.code === UNKNOWN_MESSAGE) return false;
    throw error;
  }
}
