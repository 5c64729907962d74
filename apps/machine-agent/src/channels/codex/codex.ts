/**
 * Joins the session of a Codex whose screen is a client of an app-server (0.145 and later). The id that a client gives to its message is no key:
 * Codex takes it again and again, so the conversation is looked at before a text is sent again.
 */
import type { Duplex } from 'node:stream';
import type { LocalClock } from '@drover/base';
import type { StructuredState } from '@drover/screen';
import type { z } from 'zod';
import { ChannelError, type Asked, type Channel, type SentTo } from '../channel.ts';
import * as schema from './messages.ts';
import { Wire, type Told } from './wire.ts';

/** Items of a conversation that are read at once, and in all: the text is among the newest. */
const PAGE = 50;
const PAGES_MAX = 20;
/** Requests of the program that are remembered. */
const REQUESTS_MAX = 100;
/** Answer about a conversation without any text. */
const NOT_BEGUN = /no rollout|not found|not materialized/iu;
const APPROVAL = 'item/commandExecution/requestApproval';

interface CodexOptions {
  /** Connects to the app-server. */
  readonly connect: () => Promise<Duplex>;
  /** Names the process of the app-server that listens now; null: none is seen. */
  readonly server: () => Promise<string | null>;
  /** Working directory of the worker, without symbolic links. */
  readonly cwd: string;
  /** Decision of Codex's protocol for an option by its label. */
  readonly answers: readonly { readonly label: RegExp; readonly decision: string }[];
  readonly clock: LocalClock;
  /** Called when the state may have changed. */
  readonly onNews: () => void;
}

/** Session of one life of a Codex. It connects when it is used, and again after its server was started again. */
export class CodexChannel implements Channel {
  readonly name = 'codex app-server';
  readonly #options: CodexOptions;
  #wire: Wire | undefined;
  /** Server that the wire leads to, or a later one. */
  #server: string | null = null;
  #opening: Promise<Wire> | undefined;
  /** Thread that the screen shows, as far as it was told; threads are announced when they begin. */
  #announced: string | null = null;
  #joined: string | null = null;
  /** Loaded threads that the screen never shows. Codex keeps one of its own for every turn: each look would read them all. */
  #others = new Set<string>();
  /** Message of a user that Codex told of last, in a thread that is joined. */
  #told: schema.Item | null = null;
  readonly #statuses = new Map<string, schema.Status>();
  readonly #requests = new Map<string | number, { readonly threadId: string; readonly command: string }>();
  #isClosed = false;

  constructor(options: CodexOptions) {
    this.#options = options;
  }

  async place(textId: string): Promise<SentTo> {
    const { id, status } = await this.#thread();
    const server = this.#server === null ? {} : { server: this.#server };
    return { thread: id, id: `drover-${textId}`, isBusy: status.type === 'active', ...server };
  }

  async send({ thread, id, server }: SentTo, text: string): Promise<void> {
    await this.#open();
    if (this.#server !== (server ?? null))
      throw new ChannelError('unreachable', 'its app-server was started again before the text was sent');
    const input = [{ type: 'text', text, text_elements: [] }];
    await this.#ask('turn/start', { threadId: thread, clientUserMessageId: id, input }, schema.turnStarted);
  }

  async holds({ thread, id }: SentTo, text: string): Promise<boolean> {
    if (this.#told?.clientId === id && schema.wordsOf(this.#told.content) === text) return true;
    let cursor: string | null = null;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const { data, nextCursor = null } = await this.#page(thread, cursor);
      const found = data.find(({ item }) => item.type === 'userMessage' && item.clientId === id);
      if (found !== undefined) {
        if (schema.wordsOf(found.item.content) !== text)
          throw this.#cutOff('its conversation holds the text with other words');
        await this.#join(thread);
        return true;
      }
      if (nextCursor === null) return false;
      cursor = nextCursor;
    }
    return false;
  }

  /** Reads a page of a conversation, the newest items first. A conversation begins on the disk with its first text. */
  async #page(threadId: string, cursor: string | null): Promise<z.infer<typeof schema.items>> {
    const asked = { threadId, limit: PAGE, sortDirection: 'desc', ...(cursor !== null && { cursor }) };
    return this.#ask('thread/items/list', asked, schema.items).catch((error: unknown) => {
      if (!(error instanceof ChannelError) || error.code !== 'refused' || !NOT_BEGUN.test(error.message)) throw error;
      return { data: [] };
    });
  }

  /** Its server accepts a text by beginning a turn. */
  hasBegun(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async isGone({ server }: SentTo): Promise<boolean> {
    const present = server === undefined ? null : await this.#options.server();
    return present !== null && present !== server;
  }

  conversation(): Promise<null> {
    return Promise.resolve(null);
  }

  async interrupt(): Promise<boolean> {
    const { id: threadId } = await this.#thread();
    const { data } = await this.#ask('thread/turns/list', { threadId, limit: 1, itemsView: 'notLoaded' }, schema.turns);
    const [newest] = data;
    if (newest?.status !== 'inProgress') return false;
    await (await this.#open()).ask('turn/interrupt', { threadId, turnId: newest.id });
    return true;
  }

  async answer({ command, label }: Asked): Promise<boolean> {
    const decision = this.#options.answers.find((one) => one.label.test(label))?.decision;
    const { id } = await this.#thread();
    const shown = bare(command);
    const meant = [...this.#requests].filter(([, asked]) => asked.threadId === id && isShown(asked.command, shown));
    const [only] = meant;
    if (decision === undefined || only === undefined || meant.length > 1) return false;
    this.#requests.delete(only[0]);
    (await this.#open()).reply(only[0], { decision });
    return true;
  }

  async state(): Promise<StructuredState | null> {
    const { id, status } = await this.#thread();
    const state = stateOf(this.#statuses.get(id) ?? status);
    return state?.status === 'idle' && (await this.#runsOn(id)) ? { status: 'background', waitingFor: null } : state;
  }

  /** Tells whether a command runs on after the turn: a screen at an app-server does not show it. Servers that refuse to tell show no such work. */
  async #runsOn(threadId: string): Promise<boolean> {
    const asked = { threadId, limit: 1 };
    const told = await this.#ask('thread/backgroundTerminals/list', asked, schema.terminals).catch((error: unknown) => {
      if (error instanceof ChannelError && error.code === 'refused') return { data: [] };
      throw error;
    });
    return told.data.length > 0;
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#wire?.[Symbol.dispose]();
  }

  /** Finds the thread that the screen shows: of this directory, of no sub-agent, and if there are several, the one that began last. */
  async #thread(): Promise<schema.Thread> {
    const { data } = await this.#ask('thread/loaded/list', {}, schema.loaded);
    this.#others = new Set(data.filter((threadId) => this.#others.has(threadId)));
    const unknown = data.filter((threadId) => !this.#others.has(threadId));
    const read = await Promise.all(unknown.map((threadId) => this.#read(threadId)));
    const threads = read.filter((thread) => thread !== null);
    const found = threads.length === 1 ? threads[0] : threads.find(({ id }) => id === this.#announced);
    if (found === undefined)
      throw new ChannelError('no-thread', `${threads.length} of its threads could be the one on the screen`);
    return found;
  }

  /** Reads a thread that the screen may show; null: it never shows it, or shows it no more. */
  async #read(threadId: string): Promise<schema.Thread | null> {
    const read = await this.#ask('thread/read', { threadId }, schema.threadRead).catch((error: unknown) => {
      if (error instanceof ChannelError && error.code === 'refused') return null;
      throw error;
    });
    if (read !== null && isOther(read.thread)) this.#others.add(threadId);
    return read !== null && isShownThread(read.thread, threadId, this.#options.cwd) ? read.thread : null;
  }

  /** Follows the requests of a thread; possible once it has a text. */
  async #join(threadId: string): Promise<void> {
    if (this.#joined === threadId) return;
    this.#joined = threadId;
    const wire = await this.#open();
    await wire.ask('thread/resume', { threadId, excludeTurns: true }).catch(() => {
      this.#joined = null;
    });
  }

  async #ask<S extends z.ZodType>(method: string, params: object, answer: S): Promise<z.output<S>> {
    const wire = await this.#open();
    const said = answer.safeParse(await wire.ask(method, params));
    if (!said.success) throw this.#cutOff(`its answer to "${method}" cannot be read`);
    return said.data;
  }

  #open(): Promise<Wire> {
    if (this.#wire !== undefined && this.#wire.end === null) return Promise.resolve(this.#wire);
    this.#opening ??= this.#connect().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #connect(): Promise<Wire> {
    if (this.#isClosed) throw new ChannelError('unreachable', 'its program has ended');
    const { connect, server, clock, onNews } = this.#options;
    const stream = await connect().catch((cause: unknown) => {
      throw new ChannelError('unreachable', 'its app-server was not reached', { cause });
    });
    this.#forget();
    const wire = await Wire.open(stream, { clock, onTold: (told) => this.#heard(told), onEnd: onNews });
    this.#server = await server();
    return (this.#wire = wire);
  }

  /** Nothing of an earlier server holds for the next. */
  #forget(): void {
    this.#joined = null;
    this.#announced = null;
    this.#others.clear();
    this.#told = null;
    this.#statuses.clear();
    this.#requests.clear();
  }

  #heard({ method, params, id }: Told): void {
    switch (method) {
      case 'thread/started': {
        const told = schema.threadRead.safeParse(params);
        if (!told.success) return;
        const { thread } = told.data;
        if (isOther(thread)) this.#others.add(thread.id);
        else this.#announced = thread.id;
        return;
      }
      case 'item/started': {
        const told = schema.itemStarted.safeParse(params);
        if (told.success && told.data.item.type === 'userMessage') this.#told = told.data.item;
        return;
      }
      case 'thread/status/changed': {
        const told = schema.statusChanged.safeParse(params);
        if (!told.success) return;
        if (this.#statuses.size >= REQUESTS_MAX) this.#statuses.clear();
        this.#statuses.set(told.data.threadId, told.data.status);
        return this.#options.onNews();
      }
      case 'serverRequest/resolved': {
        const told = schema.resolved.safeParse(params);
        if (told.success) this.#requests.delete(told.data.requestId);
        return;
      }
      case APPROVAL: {
        const told = schema.approval.safeParse(params);
        if (!told.success || id === undefined || this.#requests.size >= REQUESTS_MAX) return;
        this.#requests.set(id, { threadId: told.data.threadId, command: told.data.command ?? '' });
        return;
      }
      default:
    }
  }

  #cutOff(why: string): ChannelError {
    this.#wire?.[Symbol.dispose]();
    return new ChannelError('cut-off', why);
  }
}

function isShownThread(thread: schema.Thread, asked: string, wanted: string): boolean {
  return thread.id === asked && thread.cwd === wanted && !isOther(thread);
}

/** Tells whether a thread is Codex's own, or of a sub-agent. */
function isOther({ ephemeral, parentThreadId }: schema.Thread): boolean {
  return ephemeral || (parentThreadId ?? null) !== null;
}

function stateOf(status: schema.Status): StructuredState | null {
  switch (status.type) {
    case 'idle':
      return { status: 'idle', waitingFor: null };
    case 'active':
      return { status: status.activeFlags.length > 0 ? 'waiting' : 'busy', waitingFor: null };
    case 'notLoaded':
    case 'systemError':
      return null;
    default:
      return status satisfies never;
  }
}

/** Codex tells the call of the shell, and shows what the shell runs. */
function isShown(command: string, shown: string): boolean {
  const told = bare(command);
  return (
    shown !== '' && (told === shown || (/^\S*sh-l?c'/u.test(told) && told.slice(told.indexOf("'") + 1, -1) === shown))
  );
}

function bare(text: string): string {
  return text.replaceAll(/\s+/gu, '');
}
