/** Discord as a script: its REST API and gateway over loopback, with sessions that resume and enforced nonces. */
import type { WebSocket } from 'ws';
import { startSocketPeer } from './http-peer.ts';
import type { HttpPeer, PeerAnswer, PeerRequest } from './http-peer.ts';
import { LateMail } from './late-mail.ts';
import type { Fault, Press, ScriptedPeer } from './peer.ts';

const TOKEN = 'scripted.bot.token';
const CHAT = 'dm-7';
/** Milliseconds as real Discord says them. */
const HEARTBEAT_MS = 41_250;

interface Message {
  readonly id: string;
  readonly nonce: string;
  content: string;
  components: readonly { readonly components: readonly { readonly label: string; readonly custom_id: string }[] }[];
}

/** Actions of Discord alone. */
export interface DiscordScript extends ScriptedPeer {
  /** Makes the connection half open: nothing that the service sends on it arrives. */
  fallSilent(): void;
  /** Asks for a heartbeat this often from now on, in milliseconds; null: it greets no connection. */
  beatEvery(ms: number | null): void;
  /** Number of connections so far. */
  connections(): number;
}

export async function startDiscordPeer(): Promise<DiscordScript> {
  const peer = new DiscordPeer();
  const server = await startSocketPeer((request) => peer.answer(request), {
    connect: (socket) => peer.connect(socket),
  });
  peer.url = server.url;
  peer.goAway = server.goAway;
  return Object.assign(peer.script(), { [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() });
}

class DiscordPeer {
  url = '';
  readonly #messages: Message[] = [];
  readonly #faults: Fault[] = [];
  readonly #told = new Map<string, string>();
  /** Events of the session, for connections that resume it. */
  readonly #events: { readonly t: string; readonly s: number; readonly d: unknown }[] = [];
  #socket: WebSocket | null = null;
  goAway: HttpPeer['goAway'] = () => {};
  /** True while the service hears heartbeats but does not answer. */
  #isMute = false;
  #beatMs: number | null = HEARTBEAT_MS;
  #connections = 0;
  #form: string | null = null;
  #answer: Message['components'] = [];
  #pings = 0;
  #last = 100;
  readonly #late = new LateMail();
  #seq = 1;

  script(): DiscordScript {
    return {
      fallSilent: () => {
        this.#isMute = true;
      },
      beatEvery: (ms) => {
        this.#beatMs = ms;
      },
      connections: () => this.#connections,
      name: 'discord',
      options: { discord: { token: TOKEN, apiUrl: this.url } },
      wrongToken: { discord: { token: '7000000001:wrong', apiUrl: this.url } },
      address: CHAT,
      subject: '7',
      traits: { tells: true, forms: true, doubles: false },
      seen: () =>
        this.#messages.map(({ id, content, components }) => ({
          ref: id,
          address: CHAT,
          text: content,
          labels: components.flatMap((row) => row.components.map(({ label }) => label)),
        })),
      pings: () => this.#pings,
      fault: (fault) => void this.#faults.push(fault),
      press: (ref, label) => this.#press(ref, this.#payloadOf(ref, label)),
      pressAnswer: (label) => {
        const button = this.#answer.flatMap(({ components }) => components).find((one) => one.label === label);
        if (button === undefined) throw new Error(`There is no button "${label}" below the answer`);
        return this.#press('seen-by-one', button.custom_id);
      },
      answers: () => [...this.#told.values()],
      forge: (ref, payload) => this.#press(ref, payload),
      isHeard: () => this.#socket !== null,
      goAway: (isAway) => this.goAway(isAway),
      isFormOpen: () => this.#form !== null,
      sendWords: (text) =>
        this.#interact({ type: 5, data: { custom_id: this.#form, components: [{ components: [{ value: text }] }] } }),
      command: (verb, words) =>
        void this.#interact({ type: 2, data: { name: verb, options: [{ name: 'words', value: words }] } }),
      dropConnection: () => this.#socket?.terminate(),
      holdBack: () => this.#late.holdBack(),
      letGo: () => this.#late.letGo(),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }

  connect(socket: WebSocket): void {
    this.#connections += 1;
    if (this.#beatMs !== null) socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: this.#beatMs } }));
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = null;
    });
    socket.on('message', (data: Buffer) => {
      const { op, d } = JSON.parse(data.toString('utf8')) as { op: number; d: { token?: string; seq?: number } };
      if (op === 1 && !this.#isMute) socket.send(JSON.stringify({ op: 11 }));
      if (op !== 2 && op !== 6) return;
      if (d.token !== TOKEN) {
        socket.close(4_004, 'Authentication failed.');
        return;
      }
      this.#socket = socket;
      this.#isMute = false;
      if (op === 2) {
        const resume = this.url.replace('http', 'ws');
        socket.send(
          JSON.stringify({
            op: 0,
            t: 'READY',
            s: this.#seq,
            d: { session_id: 's', resume_gateway_url: resume, application: { id: 'a' } },
          }),
        );
        return;
      }
      for (const event of this.#events.filter(({ s }) => s > (d.seq ?? 0)))
        socket.send(JSON.stringify({ op: 0, ...event }));
      socket.send(JSON.stringify({ op: 0, t: 'RESUMED', s: this.#seq, d: {} }));
    });
  }

  answer({ method, path, text, headers }: PeerRequest): PeerAnswer {
    if (headers.authorization !== `Bot ${TOKEN}`)
      return { status: 401, json: { code: 0, message: '401: Unauthorized' } };
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    if (path === '/gateway/bot') return { status: 200, json: { url: this.url.replace('http', 'ws') } };
    if (path.startsWith('/applications/')) return { status: 200, json: [] };
    const [, id] = /^\/interactions\/([^/]+)\//u.exec(path) ?? [];
    if (id !== undefined) return this.#respond(id, body);
    if (!path.startsWith(`/channels/${CHAT}/messages`))
      return { status: 404, json: { code: 10_003, message: 'Unknown Channel' } };
    return this.#faulty(() => (method === 'POST' ? this.#post(body) : this.#edit(path.split('/').at(-1) ?? '', body)));
  }

  #respond(
    id: string,
    {
      type,
      data,
    }: { type?: number; data?: { content?: string; custom_id?: string; components?: Message['components'] } },
  ): PeerAnswer {
    // Discord accepts one answer for each interaction.
    if (this.#told.has(id))
      return { status: 400, json: { code: 40_060, message: 'Interaction has already been acknowledged.' } };
    this.#answer = data?.components ?? [];
    if (type === 9) this.#form = data?.custom_id ?? null;
    else this.#told.set(id, rendered(data?.content ?? ''));
    return { status: 200, json: {} };
  }

  #faulty(act: () => PeerAnswer): PeerAnswer {
    const fault = this.#faults.shift();
    switch (fault?.kind) {
      case undefined:
        return act();
      case 'rate-limit':
        return {
          status: 429,
          json: { message: 'You are being rate limited.', retry_after: fault.seconds, global: false },
        };
      case 'server-error':
        return { status: 503, json: 'no' };
      case 'gone':
        return { status: 403, json: { code: 50_007, message: 'Cannot send messages to this user' } };
      case 'answer-lost':
        act();
        return 'cut';
      case 'cut':
        return 'cut';
      default:
        return fault satisfies never;
    }
  }

  #post(body: Record<string, unknown>): PeerAnswer {
    const content = String(body['content']);
    if (isTooLarge(body)) return INVALID_FORM;
    const nonce = String(body['nonce'] ?? '');
    const same = this.#messages.find((one) => nonce !== '' && one.nonce === nonce);
    if (same !== undefined && body['enforce_nonce'] === true) return { status: 200, json: { id: same.id } };
    if ((((body['flags'] as number | undefined) ?? 0) & SILENT) === 0) this.#pings += 1;
    this.#last += 1;
    const id = String(this.#last);
    // A reply to a card is no card.
    if (body['message_reference'] === undefined)
      this.#messages.push({
        id,
        nonce,
        content: rendered(content),
        components: (body['components'] ?? []) as Message['components'],
      });
    return { status: 200, json: { id } };
  }

  #edit(id: string, body: Record<string, unknown>): PeerAnswer {
    const message = this.#messages.find((one) => one.id === id);
    if (message === undefined) return { status: 404, json: { code: 10_008, message: 'Unknown Message' } };
    if (isTooLarge(body)) return INVALID_FORM;
    Object.assign(message, { content: rendered(String(body['content'])), components: body['components'] ?? [] });
    return { status: 200, json: { id } };
  }

  #payloadOf(ref: string, label: string): string {
    const message = this.#messages.find(({ id }) => id === ref);
    const button = message?.components.flatMap(({ components }) => components).find((one) => one.label === label);
    if (button === undefined) throw new Error(`There is no button "${label}" on ${ref}`);
    return button.custom_id;
  }

  #press(ref: string, payload: string): Press {
    return this.#interact({ type: 3, message: { id: ref }, data: { custom_id: payload } });
  }

  #interact(what: object): Press {
    this.#last += 1;
    const id = `interaction-${this.#last}`;
    const d = { id, token: `t${this.#last}`, channel_id: CHAT, user: { id: '7' }, ...what };
    const push = (): void => {
      this.#seq += 1;
      const event = { t: 'INTERACTION_CREATE', s: this.#seq, d };
      this.#events.push(event);
      if (!this.#isMute) this.#socket?.send(JSON.stringify({ op: 0, ...event }));
    };
    const again = (): void => this.#late.deliver(push);
    again();
    return { told: () => this.#told.get(id) ?? null, again };
  }
}

const INVALID_FORM: PeerAnswer = { status: 400, json: { code: 50_035, message: 'Invalid Form Body' } };
/** The message gives no alarm. Source: message flags. */
const SILENT = 4_096;

/** Tells whether Discord refuses the message for its size. Source: create message, message components. */
function isTooLarge(body: Record<string, unknown>): boolean {
  const rows = (body['components'] ?? []) as Message['components'];
  return (
    String(body['content']).length > 2_000 ||
    rows.length > 5 ||
    rows.some(({ components }) => components.length > 5) ||
    rows.flatMap(({ components }) => components).some((one) => one.label.length > 80 || one.custom_id.length > 100)
  );
}

/** Renders a text as people read it: markup outside of code blocks is dropped. */
function rendered(text: string): string {
  const parts = text.split('```');
  return parts
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(/\\([\\*_~`|>#[\]<])|[*_~`|>#[\]<]/gu, (_, kept: string | undefined) => kept ?? ''),
    )
    .join('');
}
