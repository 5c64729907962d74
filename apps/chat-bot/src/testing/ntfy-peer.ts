/** ntfy as a script: publishing, polling with `since`, and notices that replace one another. */
import { startHttpPeer } from './http-peer.ts';
import type { HttpPeer, PeerAnswer, PeerRequest } from './http-peer.ts';
import { LateMail } from './late-mail.ts';
import type { Fault, Press, ScriptedPeer } from './peer.ts';

const TOKEN = 'tk_scripted';
/** Bytes of a message. Source: ntfy configuration, message-size-limit. */
const MESSAGE_BYTES_MAX = 4_096;
const TOPIC = 'drover-questions-4711';

interface Action {
  readonly label: string;
  readonly url: string;
  readonly body: string;
}

interface Notice {
  readonly id: string;
  readonly topic: string;
  readonly message: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly actions: readonly Action[];
  readonly sequence: string;
}

export async function startNtfyPeer(): Promise<ScriptedPeer> {
  const peer = new NtfyPeer();
  const server = await startHttpPeer((request) => peer.answer(request));
  peer.url = server.url;
  peer.goAway = server.goAway;
  return Object.assign(peer.script(), { [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() });
}

class NtfyPeer {
  url = '';
  readonly #notices: Notice[] = [];
  readonly #faults: Fault[] = [];
  #pings = 0;
  #last = 100;
  readonly #late = new LateMail();
  #isCut = false;
  goAway: HttpPeer['goAway'] = () => {};

  script(): ScriptedPeer {
    const options = { url: this.url, topic: TOPIC, token: TOKEN };
    return {
      name: 'ntfy',
      options: { ntfy: options },
      wrongToken: { ntfy: { ...options, token: '7000000001:wrong' } },
      address: TOPIC,
      subject: TOPIC,
      traits: { tells: false, forms: false, doubles: false },
      seen: () => {
        const shown = new Map(
          this.#notices
            .filter(({ topic, sequence }) => topic === TOPIC && sequence !== '')
            .map((one) => [one.sequence, one]),
        );
        return [...shown.values()].map(({ sequence, title, message, actions }) => ({
          ref: sequence,
          address: TOPIC,
          text: `${title}\n${message}`,
          labels: actions.map(({ label }) => label),
        }));
      },
      pings: () => this.#pings,
      fault: (fault) => void this.#faults.push(fault),
      press: (ref, label) => this.#press(this.#actionOf(ref, label)),
      pressAnswer: () => {
        throw new Error('Answers to commands have no buttons in ntfy');
      },
      answers: () => this.#notices.filter(({ sequence }) => sequence === '').map(({ message }) => message),
      forge: (ref, body) => this.#press({ ...this.#actionOf(ref), body }),
      // A poll gets earlier messages, too.
      isHeard: () => true,
      goAway: (isAway) => this.goAway(isAway),
      isFormOpen: () => false,
      sendWords: () => {
        throw new Error('ntfy has no forms');
      },
      command: (verb, words) => void this.#say(`/${verb} ${words}`),
      dropConnection: () => {
        this.#isCut = true;
      },
      holdBack: () => this.#late.holdBack(),
      letGo: () => this.#late.letGo(),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }

  answer({ method, path, query, text, headers }: PeerRequest): PeerAnswer {
    if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 403, json: { code: 40_301, error: 'forbidden' } };
    const [, topic] = /^\/([\w-]+)\/json$/u.exec(path) ?? [];
    if (method === 'GET' && topic !== undefined) return this.#poll(topic, query.get('since') ?? '');
    if (Buffer.byteLength(text) > 2 * MESSAGE_BYTES_MAX)
      return { status: 413, json: { code: 41_303, error: 'JSON body too large' } };
    return this.#faulty(() => this.#publish(JSON.parse(text) as Record<string, unknown>));
  }

  #poll(topic: string, since: string): PeerAnswer {
    if (this.#isCut) {
      this.#isCut = false;
      return 'cut';
    }
    const mine = this.#notices.filter((notice) => notice.topic === topic);
    const from = since === 'latest' ? mine.slice(-1) : mine.slice(mine.findIndex(({ id }) => id === since) + 1);
    const lines = from.map(({ id, message, tags }) => JSON.stringify({ id, event: 'message', time: 1, message, tags }));
    return { status: 200, json: lines.join('\n'), isText: true };
  }

  #publish(body: Record<string, unknown>): PeerAnswer {
    // The server would make an attachment of it, which is off by default.
    if (Buffer.byteLength(String(body['message'] ?? '')) > MESSAGE_BYTES_MAX)
      return { status: 400, json: { code: 40_014, error: 'attachments not allowed' } };
    this.#last += 1;
    const id = `n${this.#last}`;
    if (((body['priority'] as number | undefined) ?? 3) >= 4) this.#pings += 1;
    const actions = (body['actions'] ?? []) as Action[];
    if (actions.length > 3) return { status: 400, json: { code: 40_018, error: 'too many actions' } };
    this.#notices.push({
      id,
      topic: String(body['topic']),
      message: String(body['message'] ?? ''),
      title: String(body['title'] ?? ''),
      tags: (body['tags'] ?? []) as string[],
      actions,
      sequence: String(body['sequence_id'] ?? ''),
    });
    return { status: 200, json: { id } };
  }

  #faulty(act: () => PeerAnswer): PeerAnswer {
    const fault = this.#faults.shift();
    switch (fault?.kind) {
      case undefined:
        return act();
      case 'rate-limit':
        return {
          status: 429,
          json: { code: 42_901, error: 'limit reached' },
          headers: { 'retry-after': String(fault.seconds) },
        };
      case 'server-error':
        return { status: 503, json: 'no' };
      case 'gone':
        return { status: 403, json: { code: 40_301, error: 'forbidden' } };
      case 'answer-lost':
        act();
        return 'cut';
      case 'cut':
        return 'cut';
      default:
        return fault satisfies never;
    }
  }

  #actionOf(ref: string, label?: string): Action {
    const notice = this.#notices.findLast(({ sequence }) => sequence === ref);
    const action = notice?.actions.find((one) => label === undefined || one.label === label);
    if (action === undefined) throw new Error(`There is no button "${label ?? ''}" on ${ref}`);
    return action;
  }

  #press(action: Action): Press {
    const topic = action.url.split('/').at(-1) ?? '';
    const again = (): void => this.#late.deliver(() => void this.#publish({ topic, message: action.body }));
    again();
    return { told: () => null, again };
  }

  #say(message: string): void {
    this.#publish({ topic: TOPIC, message });
  }
}
