/** Telegram as a script: its Bot API over loopback, with the rules of getUpdates, callback queries and edits. */
import { startHttpPeer } from './http-peer.ts';
import type { HttpPeer, PeerAnswer, PeerRequest } from './http-peer.ts';
import { LateMail } from './late-mail.ts';
import { movedTo, ok, refusal } from './telegram-answers.ts';
import type { Fault, Press, ScriptedPeer, Seen } from './peer.ts';

const TOKEN = '7000000001:AAH-scripted_token_of_a_peer_00000000';
const CHAT = 7;
const BOT_NAME = 'Scripted_Bot';

interface Message {
  readonly id: number;
  readonly chat: string;
  text: string;
  buttons: readonly { readonly text: string; readonly callback_data: string }[];
  readonly isForm: boolean;
}

interface Update {
  readonly update_id: number;
  readonly [kind: string]: unknown;
}

/** Actions of Telegram alone. */
export interface TelegramScript extends ScriptedPeer {
  readonly url: string;
  /** Starts another program that polls with the same token; the bot hears nothing until `end`. */
  rival(): { end(): void };
  /** Turns the chat into a supergroup. `isSaid`: both chats get a message about it. */
  migrate(to: number, isSaid: boolean): void;
  /** Sends a text of somebody in a group. */
  sayInGroup(text: string): void;
}

export async function startTelegramPeer(): Promise<TelegramScript> {
  const peer = new TelegramPeer();
  const server = await startHttpPeer((request) => peer.answer(request));
  peer.goAway = server.goAway;
  return Object.assign(peer.script(server.url), { [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() });
}

class TelegramPeer {
  readonly #messages: Message[] = [];
  readonly #told = new Map<string, string>();
  readonly #moved = new Map<string, number>();
  #updates: Update[] = [];
  #faults: Fault[] = [];
  #pings = 0;
  #lastId = 100;
  #confirmed = 0;
  /** Ends the waiting poll, as a second poll does. */
  #endPoll: ((answer: PeerAnswer | null) => void) | null = null;
  #hasRival = false;
  readonly #late = new LateMail();
  goAway: HttpPeer['goAway'] = () => {};

  script(url: string): TelegramScript {
    return {
      name: 'telegram',
      url,
      options: { telegram: { token: TOKEN, apiUrl: url } },
      wrongToken: { telegram: { token: '7000000001:wrong', apiUrl: url } },
      address: String(CHAT),
      subject: String(CHAT),
      traits: { tells: true, forms: true, doubles: true },
      isFormOpen: () => this.#messages.some(({ isForm }) => isForm),
      seen: () => this.#messages.map(seenOf),
      pings: () => this.#pings,
      fault: (fault) => void this.#faults.push(fault),
      press: (ref, label) => this.#press(ref, this.#payloadOf(ref, label)),
      pressAnswer: (label) => {
        const ref = String(this.#messages.findLast(({ buttons }) => buttons.some(({ text }) => text === label))?.id);
        return this.#press(ref, this.#payloadOf(ref, label));
      },
      answers: () => this.#messages.map(({ text }) => text),
      forge: (ref, payload) => this.#press(ref, payload),
      isHeard: () => this.#endPoll !== null,
      goAway: (isAway) => this.goAway(isAway),
      rival: () => this.#startRival(),
      migrate: (to, isSaid) => {
        this.#moved.set(String(CHAT), to);
        const message = { message_id: 1, from: { id: CHAT } };
        if (!isSaid) return;
        this.#push({ message: { ...message, chat: { id: CHAT, type: 'group' }, migrate_to_chat_id: to } });
        this.#push({ message: { ...message, chat: { id: to, type: 'supergroup' }, migrate_from_chat_id: CHAT } });
      },
      sayInGroup: (text) => void this.#say(text, { chat: { id: -4711, type: 'group' } }),
      sendWords: (text) => this.#sendWords(text),
      command: (verb, words) => void this.#say(`/${verb} ${words}`),
      dropConnection: () => this.#endPoll?.('cut'),
      holdBack: () => this.#late.holdBack(),
      letGo: () => this.#late.letGo(),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }

  async answer({ path, text, gone }: PeerRequest): Promise<PeerAnswer> {
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/u.exec(path) ?? [];
    if (token !== TOKEN) return refusal(401, 'Unauthorized');
    const body = JSON.parse(text) as Record<string, unknown>;
    switch (method) {
      case 'getMe':
        return ok({ id: 1, is_bot: true, username: BOT_NAME });
      case 'getUpdates':
        return this.#getUpdates(body, gone);
      case 'answerCallbackQuery':
        this.#told.set(String(body['callback_query_id']), String(body['text'] ?? ''));
        return ok(true);
      case 'sendMessage':
        return this.#faulty(() => this.#send(body));
      case 'editMessageText':
        return this.#faulty(() => this.#edit(body));
      default:
        return refusal(404, 'Not Found: method not found');
    }
  }

  async #getUpdates(
    { offset = 0, timeout = 0 }: { offset?: number; timeout?: number },
    gone: AbortSignal,
  ): Promise<PeerAnswer> {
    if (this.#hasRival) return CONFLICT;
    this.#endPoll?.(CONFLICT);
    // Updates below the offset are confirmed, and never sent again.
    this.#confirmed = Math.max(this.#confirmed, offset);
    this.#updates = this.#updates.filter(({ update_id: id }) => id >= this.#confirmed);
    if (this.#updates.length === 0 && timeout > 0) {
      const { promise, resolve } = Promise.withResolvers<PeerAnswer | null>();
      const end = (answer: PeerAnswer | null): void => {
        if (this.#endPoll === end) this.#endPoll = null;
        resolve(answer);
      };
      this.#endPoll = end;
      gone.addEventListener('abort', () => end('cut'));
      // A poll without updates ends after its timeout, with none.
      const timer = setTimeout(() => end(null), timeout * 1_000);
      const ended = await promise;
      clearTimeout(timer);
      if (ended !== null) return ended;
    }
    return ok(this.#updates.slice(0, 100));
  }

  #faulty(act: () => PeerAnswer): PeerAnswer {
    const fault = this.#faults.shift();
    switch (fault?.kind) {
      case undefined:
        return act();
      case 'rate-limit':
        return {
          status: 429,
          json: {
            ok: false,
            error_code: 429,
            description: `Too Many Requests: retry after ${fault.seconds}`,
            parameters: { retry_after: fault.seconds },
          },
        };
      case 'server-error':
        return { status: 502, json: 'Bad Gateway' };
      case 'gone':
        return refusal(403, 'Forbidden: bot was blocked by the user');
      case 'answer-lost':
        act();
        return 'cut';
      case 'cut':
        return 'cut';
      default:
        return fault satisfies never;
    }
  }

  #send(body: Record<string, unknown>): PeerAnswer {
    const to = this.#moved.get(String(body['chat_id']));
    if (to !== undefined) return movedTo(to);
    const text = String(body['text'] ?? '');
    const wrong = problemOf(body);
    if (wrong !== null) return wrong;
    const markup = (body['reply_markup'] ?? {}) as { inline_keyboard?: Message['buttons'][]; force_reply?: boolean };
    this.#lastId += 1;
    this.#messages.push({
      id: this.#lastId,
      chat: String(body['chat_id']),
      text,
      buttons: checked(markup.inline_keyboard ?? []),
      isForm: markup.force_reply === true,
    });
    if (body['disable_notification'] !== true) this.#pings += 1;
    return ok({ message_id: this.#lastId, date: 1, chat: { id: CHAT, type: 'private' } });
  }

  #edit(body: Record<string, unknown>): PeerAnswer {
    const to = this.#moved.get(String(body['chat_id']));
    if (to !== undefined) return movedTo(to);
    const message = this.#messages.find(({ id }) => id === body['message_id']);
    if (message === undefined) return refusal(400, 'Bad Request: message to edit not found');
    const markup = (body['reply_markup'] ?? {}) as { inline_keyboard?: Message['buttons'][] };
    const buttons = checked(markup.inline_keyboard ?? []);
    const text = String(body['text'] ?? '');
    const wrong = problemOf(body);
    if (wrong !== null) return wrong;
    if (message.text === text && JSON.stringify(message.buttons) === JSON.stringify(buttons))
      return refusal(400, 'Bad Request: message is not modified: specified new message content is exactly the same');
    Object.assign(message, { text, buttons });
    return ok(true);
  }

  #push(update: Readonly<Record<string, unknown>>): void {
    this.#lastId += 1;
    this.#updates.push({ update_id: this.#lastId, ...update });
    this.#endPoll?.(null);
  }

  /** Starts a rival: the rival's polls end ours, and ours are refused while the rival polls. */
  #startRival(): { end(): void } {
    this.#hasRival = true;
    this.#endPoll?.(CONFLICT);
    return {
      end: () => {
        this.#hasRival = false;
      },
    };
  }

  #payloadOf(ref: string, label: string): string {
    const { buttons = [] } = this.#messages.find(({ id }) => String(id) === ref) ?? {};
    const button = buttons.find(({ text }) => text === label);
    if (button === undefined)
      throw new Error(`There is no button "${label}" on ${ref}: ${buttons.map(({ text }) => text).join(', ')}`);
    return button.callback_data;
  }

  #press(ref: string, data: string): Press {
    this.#lastId += 1;
    const id = `press-${this.#lastId}`;
    const callback_query = {
      id,
      from: { id: CHAT },
      data,
      message: { message_id: Number(ref), chat: { id: CHAT, type: 'private' } },
    };
    const again = (): void => this.#late.deliver(() => this.#push({ callback_query }));
    again();
    return { told: () => this.#told.get(id) ?? null, again };
  }

  #sendWords(text: string): Press {
    const form = this.#messages.findLast(({ isForm }) => isForm);
    if (form === undefined) throw new Error('The bot has asked for no words');
    return this.#say(text, { reply_to_message: { message_id: form.id, text: form.text } });
  }

  #say(text: string, more: object = {}): Press {
    this.#lastId += 1;
    const after = this.#messages.length;
    const message = {
      message_id: this.#lastId,
      from: { id: CHAT },
      chat: { id: CHAT, type: 'private' },
      text,
      ...more,
    };
    const again = (): void => this.#late.deliver(() => this.#push({ message }));
    again();
    return { told: () => this.#messages[after]?.text ?? null, again };
  }
}

const CONFLICT = refusal(
  409,
  'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
);

/** Returns the reason why Telegram refuses a message. */
function problemOf(body: Record<string, unknown>): PeerAnswer | null {
  const text = String(body['text'] ?? '');
  const entities = (body['entities'] ?? []) as readonly { readonly offset: number; readonly length: number }[];
  if (text.length > 4_096) return refusal(400, 'Bad Request: message is too long');
  if (body['parse_mode'] !== undefined) return refusal(400, "Bad Request: can't parse entities");
  return entities.some(({ offset, length }) => offset + length > text.length)
    ? refusal(400, 'Bad Request: entity beyond the text')
    : null;
}

function checked(rows: readonly Message['buttons'][]): Message['buttons'] {
  for (const { callback_data: data } of rows.flat())
    if (Buffer.byteLength(data) > 64) throw new Error(`The data of a button has ${Buffer.byteLength(data)} bytes`);
  return rows.flat();
}

function seenOf({ id, chat, text, buttons }: Message): Seen {
  return { ref: String(id), address: chat, text, labels: buttons.map((button) => button.text) };
}
