/**
 * Joins the session of an OpenCode whose screen serves HTTP (1.18 and later). The server chooses the ids of messages, so that a text is known by
 * its words after the last message before it.
 */
import type { Duplex } from 'node:stream';
import type { LocalClock } from '@drover/base';
import type { StructuredState } from '@drover/screen';
import { z } from 'zod';
import { ChannelError, type Asked, type Channel, type SentTo } from '../channel.ts';
import { askOver, type HttpSaid } from './http-adapter.ts';

/**
 * Numbers of messages that are read: first a few, then more if the place of the text is not among them. Messages are as large as their texts, and
 * the program reads and writes them in the thread in which its turn begins: many of them make that turn late.
 */
const WINDOWS = [4, 100] as const;
/** Milliseconds for an answer, and for the acceptance of a text. */
const ANSWER_MS = 3_000;
const ACCEPT_MS = 5_000;
/** Milliseconds by which the clocks of machine and program may differ. */
const AHEAD_MS = 5_000;
/** Form of ids, which go into paths. */
const ID = /^[A-Za-z]+_[A-Za-z0-9]+$/u;

const id = z.string().regex(ID);
const sessions = z.array(
  z.object({ id, directory: z.string(), parentID: z.string().nullish(), time: z.object({ updated: z.number() }) }),
);
const messages = z.array(
  z.object({
    info: z.object({ id, role: z.string() }),
    parts: z.array(z.looseObject({ type: z.string(), text: z.string().optional(), synthetic: z.boolean().optional() })),
  }),
);
const permissions = z.array(
  z.object({
    id,
    sessionID: id,
    patterns: z.array(z.string()),
    metadata: z.looseObject({ command: z.string().optional() }),
  }),
);
const statuses = z.record(id, z.looseObject({ type: z.string(), message: z.string().optional() }));

interface OpenCodeOptions {
  /** Connects to the server. */
  readonly connect: () => Promise<Duplex>;
  readonly login: { readonly user: string; readonly password: string };
  /** Working directory of the worker, without symbolic links. */
  readonly cwd: string;
  /** Start of this life of the program, in epoch milliseconds of its machine. */
  readonly openedAt: number;
  /** Reply of OpenCode's protocol for an option by its label. */
  readonly answers: readonly { readonly label: RegExp; readonly decision: string }[];
  readonly clock: LocalClock;
}

/** Session of one life of an OpenCode. */
export class OpenCodeChannel implements Channel {
  readonly name = 'opencode server';
  readonly #options: OpenCodeOptions;

  constructor(options: OpenCodeOptions) {
    this.#options = options;
  }

  async place(): Promise<SentTo> {
    const thread = await this.#session();
    const [state, before] = await Promise.all([this.#statuses(), this.#messages(thread, 1)]);
    return { thread, id: before.at(-1)?.info.id ?? '', isBusy: (state[thread]?.type ?? 'idle') !== 'idle' };
  }

  async send({ thread }: SentTo, text: string): Promise<void> {
    const said = await this.#ask(`/session/${thread}/prompt_async`, { parts: [{ type: 'text', text }] }, ACCEPT_MS);
    if (said.status !== 204) throw new ChannelError('refused', `it answered with status ${said.status}`);
  }

  async holds({ thread, id: before }: SentTo, text: string): Promise<boolean> {
    for (const limit of WINDOWS) {
      const all = await this.#messages(thread, limit);
      const from = all.findIndex((message) => message.info.id === before) + 1;
      // The same words may stand further back.
      if (from === 0 && (before !== '' || all.length === limit)) continue;
      return all.slice(from).some(({ info, parts }) => info.role === 'user' && wordsOf(parts) === text);
    }
    throw new ChannelError('no-thread', 'its conversation has gone too far since');
  }

  /** A session may keep a text for which no turn ever begins (anomalyco/opencode#21524 and #32010). */
  async hasBegun({ thread }: SentTo): Promise<boolean> {
    const [state, newest] = await Promise.all([this.#statuses(), this.#messages(thread, 1)]);
    return (state[thread]?.type ?? 'idle') !== 'idle' || newest.at(-1)?.info.role !== 'user';
  }

  /** The server is the process of the pane: it ends with this life. */
  isGone(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async conversation(): Promise<readonly unknown[]> {
    return this.#read(`/session/${await this.#session()}/message`, z.array(z.unknown()));
  }

  async interrupt(): Promise<boolean> {
    const thread = await this.#session();
    if (((await this.#statuses())[thread]?.type ?? 'idle') === 'idle') return false;
    const { status } = await this.#ask(`/session/${thread}/abort`, {});
    return status === 200;
  }

  async answer({ command, label }: Asked): Promise<boolean> {
    const reply = this.#options.answers.find((one) => one.label.test(label))?.decision;
    if (reply === undefined || command.trim() === '') return false;
    const thread = await this.#session();
    const asked = await this.#read('/permission', permissions);
    const meant = asked.filter(
      ({ sessionID, metadata, patterns }) =>
        sessionID === thread &&
        [metadata.command, ...patterns].some((words) => words !== undefined && bare(words) === bare(command)),
    );
    const [only] = meant;
    if (only === undefined || meant.length > 1) return false;
    return (await this.#ask(`/permission/${only.id}/reply`, { reply })).status === 200;
  }

  /** Tells the state of all sessions: those of sub-agents, too, are at work for the one on the screen. */
  async state(): Promise<StructuredState | null> {
    return stateOfSessions(await this.#statuses());
  }

  [Symbol.dispose](): void {}

  /** Finds the session that this life of the program works in; before its first text there is none. */
  async #session(): Promise<string> {
    const { cwd, openedAt } = this.#options;
    const all = await this.#read('/session', sessions);
    const own = all.filter(
      ({ directory, parentID, time }) =>
        directory === cwd && (parentID ?? null) === null && time.updated >= openedAt - AHEAD_MS,
    );
    const [only] = own;
    if (only === undefined || own.length > 1)
      throw new ChannelError('no-thread', `${own.length} of its sessions could be the one on the screen`);
    return only.id;
  }

  /** Reads the newest messages, the last one at the end. */
  async #messages(thread: string, limit: number): Promise<z.infer<typeof messages>> {
    return this.#read(`/session/${thread}/message?limit=${limit}`, messages);
  }

  #statuses(): Promise<z.infer<typeof statuses>> {
    return this.#read('/session/status', statuses);
  }

  async #read<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>> {
    const { status, text } = await this.#ask(path);
    if (status !== 200) throw new ChannelError('refused', `it answered "${path}" with status ${status}`);
    const read = schema.safeParse(parse(text));
    if (!read.success) throw new ChannelError('cut-off', `its answer to "${path}" cannot be read`);
    return read.data;
  }

  async #ask(path: string, body?: object, withinMs = ANSWER_MS): Promise<HttpSaid> {
    const { connect, login, clock } = this.#options;
    const stream = await connect().catch((cause: unknown) => {
      throw new ChannelError('unreachable', 'its server was not reached', { cause });
    });
    return askOver(clock, stream, { path, login, body, withinMs });
  }
}

const MEANINGS: Readonly<Record<string, StructuredState['status']>> = { idle: 'idle', busy: 'busy', retry: 'retrying' };

/**
 * Reads the state of a program from its sessions, each with `type` and perhaps `message`. An empty list means idle, for only sessions at work
 * are listed. A session that waits to retry speaks for all: sessions of sub-agents stay busy beside it.
 */
export function stateOfSessions(sessionsAtWork: z.infer<typeof statuses>): StructuredState | null {
  const all = Object.values(sessionsAtWork).map(({ type, message }) => ({
    status: MEANINGS[type],
    waitingFor: message ?? null,
  }));
  const by = (status: StructuredState['status']): StructuredState | undefined => {
    const found = all.find((one) => one.status === status);
    return found && { status, waitingFor: found.waitingFor };
  };
  if (all.some(({ status }) => status === undefined)) return null;
  return by('retrying') ?? by('busy') ?? { status: 'idle', waitingFor: null };
}

function wordsOf(parts: z.infer<typeof messages>[number]['parts']): string {
  return parts
    .flatMap(({ type, text, synthetic }) => (type === 'text' && synthetic !== true ? [text ?? ''] : []))
    .join('');
}

function bare(text: string): string {
  return text.replaceAll(/\s+/gu, '');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
