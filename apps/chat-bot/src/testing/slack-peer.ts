/** Slack as a script: its Web API and socket mode over loopback, with envelopes that are delivered again until they are acknowledged. */
import type { WebSocket } from 'ws';
import { startSocketPeer } from './http-peer.ts';
import type { HttpPeer, PeerAnswer, PeerRequest } from './http-peer.ts';
import { LateMail } from './late-mail.ts';
import type { Fault, Press, ScriptedPeer } from './peer.ts';
import { buttonsOf, isTooLarge, rendered, textOf } from './slack-blocks.ts';
import type { Block, Message } from './slack-blocks.ts';

const APP_TOKEN = 'xapp-1-A1-1-scripted';
const BOT_TOKEN = 'xoxb-1-1-scripted';

/** Actions of Slack alone. */
export interface SlackScript extends ScriptedPeer {
  connections(): number;
  /** Announces on the oldest connection that it ends soon. */
  refreshConnection(): void;
  dropOldConnection(): void;
}

export async function startSlackPeer(): Promise<SlackScript> {
  const peer = new SlackPeer();
  const server = await startSocketPeer((request) => peer.answer(request), {
    connect: (socket) => peer.connect(socket),
    path: '/link',
  });
  peer.url = server.url;
  peer.goAway = server.goAway;
  return Object.assign(peer.script(), { [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() });
}

class SlackPeer {
  url = '';
  readonly #messages: Message[] = [];
  readonly #faults: Fault[] = [];
  readonly #sockets: WebSocket[] = [];
  /** Envelopes that are not acknowledged, each with its handler of the answer. */
  readonly #waiting = new Map<string, { readonly text: string; readonly acknowledged: (payload: unknown) => void }>();
  readonly #ephemeral: string[] = [];
  goAway: HttpPeer['goAway'] = () => {};
  #answer: readonly Block[] = [];
  #form: { readonly metadata: string } | null = null;
  #pings = 0;
  #last = 100;
  readonly #late = new LateMail();

  script(): SlackScript {
    const options = { appToken: APP_TOKEN, botToken: BOT_TOKEN, apiUrl: `${this.url}/api` };
    return {
      name: 'slack',
      connections: () => this.#sockets.length,
      refreshConnection: () =>
        this.#sockets[0]?.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' })),
      dropOldConnection: () => this.#sockets[0]?.close(),
      options: { slack: options },
      wrongToken: { slack: { ...options, appToken: 'xapp-7000000001:wrong' } },
      address: 'U1',
      subject: 'T1:U1',
      traits: { tells: true, forms: true, doubles: true },
      seen: () =>
        this.#messages.map((message) => ({
          ref: `${message.channel}:${message.ts}`,
          address: 'U1',
          text: textOf(message),
          labels: buttonsOf(message).map(({ label }) => label),
        })),
      pings: () => this.#pings,
      fault: (fault) => void this.#faults.push(fault),
      press: (ref, label) => this.#press(ref, this.#buttonOf(ref, label)),
      pressAnswer: (label) => {
        const message = { ts: '1700000000.1', channel: 'C1', text: '', blocks: this.#answer };
        const button = buttonsOf(message).find((one) => one.label === label);
        if (button === undefined) throw new Error(`There is no button "${label}" below the answer`);
        // For a message that one person sees, Slack sends only the time.
        const container = { type: 'message', message_ts: message.ts, channel_id: 'C1', is_ephemeral: true };
        return this.#pressIn({ channel: { id: 'C1' }, container }, button);
      },
      answers: () => this.#ephemeral,
      forge: (ref, value) => this.#press(ref, { id: 'drover-0', value }),
      isHeard: () => this.#sockets.length > 0,
      goAway: (isAway) => this.goAway(isAway),
      isFormOpen: () => this.#form !== null,
      sendWords: (text) => this.#sendWords(text),
      command: (verb, words) => this.#command(verb === 'link' ? `link ${words}` : words),
      dropConnection: () => this.#sockets.at(-1)?.terminate(),
      holdBack: () => this.#late.holdBack(),
      letGo: () => this.#late.letGo(),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }

  connect(socket: WebSocket): void {
    this.#sockets.push(socket);
    socket.on('message', (data: Buffer) => {
      const { envelope_id: id, payload } = JSON.parse(data.toString('utf8')) as {
        envelope_id: string;
        payload?: unknown;
      };
      this.#waiting.get(id)?.acknowledged(payload);
      this.#waiting.delete(id);
    });
    socket.on('close', () => void this.#sockets.splice(this.#sockets.indexOf(socket), 1));
    socket.send(JSON.stringify({ type: 'hello', num_connections: this.#sockets.length }));
    for (const { text } of this.#waiting.values()) socket.send(text);
  }

  answer({ path, text, headers }: PeerRequest): PeerAnswer {
    const method = path.replace('/api/', '');
    const wanted = method === 'apps.connections.open' ? APP_TOKEN : BOT_TOKEN;
    if (headers.authorization !== `Bearer ${wanted}`) return ok({ ok: false, error: 'invalid_auth' });
    const body = JSON.parse(text) as Record<string, unknown>;
    switch (method) {
      case 'apps.connections.open':
        return ok({ ok: true, url: `${this.url.replace('http', 'ws')}/link` });
      case 'chat.postMessage':
        return this.#faulty(() => this.#post(body));
      case 'chat.update':
        return this.#faulty(() => this.#update(body));
      case 'chat.postEphemeral':
        this.#ephemeral.push(String(body['text']));
        return ok({ ok: true });
      case 'views.open':
        this.#form = { metadata: (body['view'] as { private_metadata: string }).private_metadata };
        return ok({ ok: true });
      default:
        return ok({ ok: false, error: 'unknown_method' });
    }
  }

  #faulty(act: () => PeerAnswer): PeerAnswer {
    const fault = this.#faults.shift();
    switch (fault?.kind) {
      case undefined:
        return act();
      case 'rate-limit':
        return {
          status: 429,
          json: { ok: false, error: 'ratelimited' },
          headers: { 'retry-after': String(fault.seconds) },
        };
      case 'server-error':
        return { status: 503, json: 'no' };
      case 'gone':
        return ok({ ok: false, error: 'channel_not_found' });
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
    if (isTooLarge(body)) return ok({ ok: false, error: 'invalid_blocks' });
    this.#pings += 1;
    this.#last += 1;
    const ts = `1700000000.${this.#last}`;
    const blocks = (body['blocks'] ?? []) as Message['blocks'];
    const isReminder = body['thread_ts'] !== undefined;
    // Slack opens a chat with the person, and names it.
    if (!isReminder) this.#messages.push({ ts, channel: 'D1', text: String(body['text']), blocks });
    return ok({ ok: true, channel: 'D1', ts });
  }

  #update(body: Record<string, unknown>): PeerAnswer {
    const message = this.#messages.find(({ ts }) => ts === body['ts']);
    if (message === undefined) return ok({ ok: false, error: 'message_not_found' });
    if (isTooLarge(body)) return ok({ ok: false, error: 'invalid_blocks' });
    Object.assign(message, { text: String(body['text']), blocks: body['blocks'] });
    return ok({ ok: true });
  }

  #deliver(type: string, payload: object, acknowledged: (payload: unknown) => void = () => {}): () => void {
    return () =>
      this.#late.deliver(() => {
        this.#last += 1;
        const id = `envelope-${this.#last}`;
        const text = JSON.stringify({ envelope_id: id, type, payload, accepts_response_payload: true });
        this.#waiting.set(id, { text, acknowledged });
        this.#sockets.at(-1)?.send(text);
      });
  }

  #buttonOf(ref: string, label: string): { readonly id: string; readonly value: string } {
    const message = this.#messages.find(({ channel, ts }) => `${channel}:${ts}` === ref);
    const button = message === undefined ? undefined : buttonsOf(message).find((one) => one.label === label);
    if (button === undefined) throw new Error(`There is no button "${label}" on ${ref}`);
    return button;
  }

  #press(ref: string, button: { readonly id: string; readonly value: string }): Press {
    const [channel = '', ts = ''] = ref.split(':');
    const container = { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false };
    return this.#pressIn({ channel: { id: channel }, message: { ts }, container }, button);
  }

  #pressIn(where: object, button: { readonly id: string; readonly value: string }): Press {
    this.#last += 1;
    const before = this.#ephemeral.length;
    const again = this.#deliver('interactive', {
      type: 'block_actions',
      user: { id: 'U1', team_id: 'T1' },
      team: { id: 'T1' },
      trigger_id: `trigger-${this.#last}`,
      ...where,
      actions: [{ action_id: button.id, value: button.value, action_ts: `17.${this.#last}` }],
    });
    again();
    return { told: () => this.#ephemeral[before] ?? null, again };
  }

  #sendWords(text: string): Press {
    if (this.#form === null) throw new Error('The bot has opened no form');
    this.#last += 1;
    const before = this.#ephemeral.length;
    const again = this.#deliver('interactive', {
      type: 'view_submission',
      user: { id: 'U1', team_id: 'T1' },
      team: { id: 'T1' },
      view: {
        id: `V${this.#last}`,
        private_metadata: this.#form.metadata,
        state: { values: { words: { words: { value: text } } } },
      },
    });
    again();
    return { told: () => this.#ephemeral[before] ?? null, again };
  }

  #command(text: string): void {
    this.#last += 1;
    this.#deliver(
      'slash_commands',
      { command: '/drover', text, user_id: 'U1', team_id: 'T1', channel_id: 'C1', trigger_id: `trigger-${this.#last}` },
      (payload) => {
        const { text, blocks = [] } = payload as { text: string; blocks?: readonly Block[] };
        this.#ephemeral.push(rendered(text));
        this.#answer = blocks;
      },
    )();
  }
}

function ok(json: unknown): PeerAnswer {
  return { status: 200, json };
}
