/**
 * ntfy: a notice with at most three buttons on a topic that only its people know. A button answers by the link of its
 * question; without a link it sends a secret of its own to a reply topic that the bot polls. A notice holds no access
 * token: all readers of the topic would have it. https://docs.ntfy.sh/publish
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Button, Delivery } from '@drover/protocol/channels';
import { z } from 'zod';
import { cardText, harmless, labelOf } from '../../cards/card-text.ts';
import type { CardText } from '../../cards/card-text.ts';
import { keyOf } from '../../cards/keys.ts';
import { payloadOf, readPayload } from '../../cards/payload.ts';
import { ChannelError } from '../../channel.ts';
import type { Channel, Desk, Shown } from '../../channel.ts';
import { pause } from '@drover/base';
import { againAfterMs } from '../../ports.ts';
import type { HttpAnswer, Nature } from '../../ports.ts';

/** The address of ntfy, and the secrets. */
export interface NtfyOptions {
  readonly url: string;
  /** The topic of questions. Everybody who knows the topic can read questions and press buttons. Secret. */
  readonly topic: string;
  /** An access token of the server; absent: the server needs none. Secret. */
  readonly token?: string;
}

/** Buttons of a notice. */
const BUTTONS_MAX = 3;
const TIMEOUT_MS = 15_000;
/** Milliseconds between two polls for presses. */
const POLL_MS = 2_000;
/** Bytes of a message; a longer one becomes an attachment, which most servers refuse. Source: ntfy, message-size-limit; a part is left for JSON. */
const MESSAGE_BYTES_MAX = 3_800;
const TITLE_BYTES_MAX = 500;
/** Tag of our own notices on the topic, which no person sent. */
const OWN_TAG = 'drover';

export function ntfyChannel(nature: Nature, options: NtfyOptions): Channel {
  return {
    name: 'ntfy',
    show: (delivery, signal) => show({ nature, options }, delivery, signal),
    listen: (desk, signal) => listen({ nature, options }, desk, signal),
  };
}

interface Parts {
  readonly nature: Nature;
  readonly options: NtfyOptions;
}

/** Derives the topic of presses: only a card reveals it, not the topic of questions. */
function replyTopic({ topic }: NtfyOptions): string {
  return `drover-${createHash('sha256').update(`reply ${topic}`).digest('hex').slice(0, 32)}`;
}

/** Seals the payload of a button: valid for its question, its asking and its option alone. */
function sealed({ topic }: NtfyOptions, payload: string): string {
  const seal = createHmac('sha256', `press ${topic}`).update(payload).digest('base64url');
  return `${payload} ${seal}`;
}

function unsealed(options: NtfyOptions, text: string): string | null {
  const [payload = ''] = text.split(' ');
  const [given, wanted] = [Buffer.from(text), Buffer.from(sealed(options, payload))];
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? payload : null;
}

function call(
  { nature, options }: Parts,
  path: string,
  how: { readonly body?: object; readonly signal: AbortSignal },
): Promise<HttpAnswer> {
  return nature.http(`${options.url}/${path}`, {
    method: how.body === undefined ? 'GET' : 'POST',
    timeoutMs: TIMEOUT_MS,
    signal: how.signal,
    ...(options.token !== undefined && { headers: { authorization: `Bearer ${options.token}` } }),
    ...(how.body !== undefined && { body: JSON.stringify(how.body) }),
  });
}

async function show(parts: Parts, delivery: Delivery, signal: AbortSignal): Promise<Shown> {
  const { address, ref, ping, card } = delivery;
  // Each question has one notice: a newer notice with its name replaces it.
  const sequence = ref ?? card.escalation.replaceAll('-', '');
  try {
    const body = {
      topic: address,
      sequence_id: sequence,
      priority: ping ? 4 : 2,
      ...noticeOf(parts.options, delivery),
    };
    const answer = await call(parts, '', { body, signal });
    if (answer.status >= 200 && answer.status < 300) return { kind: 'shown', ref: sequence };
    return {
      kind: 'failed',
      error: `ntfy answered ${answer.status} ${answer.text.slice(0, 200)}`,
      retryAfterMs: answer.status === 429 ? againAfterMs(answer.headers.get('retry-after')) : null,
      isFinal: answer.status === 403 || answer.status === 404,
    };
  } catch (error) {
    return { kind: 'failed', error: `ntfy gave no answer: ${String(error)}`, retryAfterMs: null, isFinal: false };
  }
}

function noticeOf(options: NtfyOptions, { card, link, optionIds = [] }: Delivery): object {
  const { head, body, pane, state, buttons } = cardText(card);
  // ntfy cannot ask for a text: options that need one are answered at a terminal or in another chat.
  const pressable = buttons.filter(
    ({ button }) => button.kind !== 'answer' || card.options[button.option]?.needsText === false,
  );
  // The page answers options without a button here: a tap on the notice opens it, and it has a button if there is room.
  const answerable = pressable.filter(({ button }) => button.kind === 'answer').length;
  const isWhole = link === undefined || (answerable === card.options.length && answerable <= BUTTONS_MAX);
  const open = link === undefined ? [] : [{ action: 'view', label: 'All answers', url: link }];
  const answers = pressable.slice(0, isWhole ? BUTTONS_MAX : BUTTONS_MAX - 1).flatMap(({ label, button }) => {
    const option = button.kind === 'answer' ? optionIds[button.option] : undefined;
    const sent = link !== undefined && option !== undefined ? byLink(link, option) : byReply(options, button);
    return sent === null ? [] : [{ action: 'http', label: labelOf(label), method: 'POST', ...sent }];
  });
  const actions = [...answers, ...open].slice(0, BUTTONS_MAX);
  const click = link === undefined ? {} : { click: link };
  const message = cardMessage({ body, pane, state });
  return { title: within(head, TITLE_BYTES_MAX), message, tags: [OWN_TAG], actions, ...click };
}

/** Answers from the phone straight to the coordinator: the link is good for one answer of this asking. */
function byLink(link: string, option: string): object {
  const { origin, pathname, searchParams } = new URL(link);
  const body = JSON.stringify({ token: searchParams.get('token'), option });
  return { url: `${origin}${pathname}`, headers: { 'Content-Type': 'application/json' }, body };
}

/** Answers by the reply topic, which must accept messages of people without an account. */
function byReply(options: NtfyOptions, button: Button): object | null {
  const payload = payloadOf(button);
  return payload === null ? null : { url: `${options.url}/${replyTopic(options)}`, body: sealed(options, payload) };
}

/** Writes the state, always; then as much of the body as fits; then the end of the pane. */
function cardMessage({ body, pane, state }: Pick<CardText, 'body' | 'pane' | 'state'>): string {
  const shownState = within(state, MESSAGE_BYTES_MAX / 2);
  const shownBody = within(body, MESSAGE_BYTES_MAX / 2);
  let room = MESSAGE_BYTES_MAX - sizeOf(shownState) - sizeOf(shownBody);
  const lines: string[] = [];
  for (const line of pane.toReversed()) {
    room -= sizeOf(line);
    if (room < 0) break;
    lines.unshift(line);
  }
  return [shownBody, lines.join('\n'), shownState].filter((text) => text !== '').join('\n\n');
}

/** Counts bytes as JSON, including the separator. */
function sizeOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) + 4;
}

function within(text: string, bytesMax: number): string {
  const characters = [...text];
  while (sizeOf(characters.join('')) > bytesMax) characters.length = Math.floor(characters.length * 0.9);
  return characters.join('');
}

const noticeSchema = z.object({
  id: z.string(),
  event: z.string(),
  time: z.number(),
  message: z.string().optional(),
  tags: z.array(z.string()).optional(),
});

/** Polls both topics for presses and texts. Unstored messages are read again: the position advances only after they are stored. */
async function listen(parts: Parts, desk: Desk, signal: AbortSignal): Promise<void> {
  const { nature, options } = parts;
  const reply = replyTopic(options);
  const places = new Map([
    [reply, '12h'],
    [options.topic, 'latest'],
  ]);
  while (!signal.aborted) {
    for (const [topic, since] of places) {
      const answer = await call(parts, `${topic}/json?poll=1&since=${since}`, { signal });
      if (answer.status === 401 || answer.status === 403)
        throw new ChannelError('ntfy does not let this token read the topic: set DROVER_NTFY_TOKEN to another one');
      if (answer.status !== 200) throw new Error(`ntfy answered ${answer.status}`);
      for (const notice of noticesIn(answer.text)) {
        await take(parts, desk, { topic, notice, signal });
        places.set(topic, notice.id);
      }
    }
    await pause(nature.clock, POLL_MS, signal);
  }
}

function noticesIn(text: string): z.infer<typeof noticeSchema>[] {
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    const read = noticeSchema.safeParse(JSON.parse(line));
    return read.success && read.data.event === 'message' ? [read.data] : [];
  });
}

async function take(
  parts: Parts,
  desk: Desk,
  {
    topic,
    notice: { id, message = '', tags = [] },
    signal,
  }: { readonly topic: string; readonly notice: z.infer<typeof noticeSchema>; readonly signal: AbortSignal },
): Promise<void> {
  const { options } = parts;
  const subject = options.topic;
  if (topic !== options.topic) {
    const payload = unsealed(options, message);
    const button = payload === null ? null : readPayload(payload);
    // A press proves only that its sender reads the topic; the card shows the result. An asking is answered once.
    // Somebody may look again later, and each start reads the messages of the last hours again: that press keeps its
    // id.
    const name = button?.kind === 'ack' ? `look ${id}` : message;
    if (button !== null) await desk.press({ key: keyOf(`ntfy ${name}`), subject, button });
    return;
  }
  if (tags.includes(OWN_TAG)) return;
  const [, verb = '', rest = ''] = /^\/(link|drover)\b\s*([\s\S]*)$/u.exec(message) ?? [];
  if (verb === '') return;
  const said =
    verb === 'link'
      ? await desk.link({ subject, address: options.topic, code: rest.slice(0, 100) || '-' })
      : await desk.command({ key: keyOf(`ntfy ${id}`), subject, address: options.topic, words: rest });
  await call(parts, '', {
    body: { topic: options.topic, message: harmless(said.says), tags: [OWN_TAG] },
    signal,
  }).catch(() => null);
}
