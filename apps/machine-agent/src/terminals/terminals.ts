/**
 * Manages the terminals of this machine that people have open, through the coordinator.
 *
 * T1 A terminal shows and reaches one life of a pane: the one that the worker had when it was opened.
 * T2 Nothing looks at a pane for a person when no person watches it.
 */
import type { LocalClock, Log } from '@drover/base';
import type { QueryResult, Redactor } from '@drover/protocol';
import { formatIncarnation, type TmuxServer } from '@drover/tmux';
import { CommandError } from '../failure.ts';
import type { PaneServer, PaneServers, Placed } from '../panes/servers.ts';
import type { Dial } from './dial-adapter.ts';
import { ScreenWatch } from './screen-watch.ts';
import { Stream, type Line } from './stream.ts';
import { Typist } from './typist.ts';

/** Terminals that one machine has open at once. */
const TERMINALS_MAX = 64;

/** Parts of tmux that a terminal uses. */
export interface TerminalServer extends PaneServer, Pick<TmuxServer, 'withPane' | 'fitPane' | 'unfitPanes'> {
  withPane: TmuxServer['withPane'];
}

interface TerminalsOptions {
  readonly tmux: PaneServers<TerminalServer>;
  readonly redactor: Pick<Redactor, 'screen'>;
  readonly dial: Dial;
  readonly clock: LocalClock;
  readonly log: Log;
}

/** Terminal to be opened. */
interface Wanted {
  readonly terminal: string;
  readonly types: boolean;
  readonly worker: { readonly workerId: string; readonly name: string };
}

/** Open terminals of this machine. Closing it ends all terminals, and no pane. */
export class Terminals implements AsyncDisposable {
  readonly #options: TerminalsOptions;
  readonly #streams = new Set<Stream>();
  readonly #watches = new Map<string, ScreenWatch>();
  /** Number of people who have given a pane their size, by server and pane. */
  readonly #fitted = new Map<string, number>();
  #coordinator: { readonly url: string; readonly accessToken: string } | undefined;
  #opening = 0;
  /** Queue of changes of sizes, one after another. */
  #sizes: Promise<void> = Promise.resolve();

  constructor(options: TerminalsOptions) {
    this.#options = options;
  }

  /** Opens terminals at this coordinator from now on. */
  connected(coordinator: { readonly url: string; readonly accessToken: string }): void {
    this.#coordinator = coordinator;
  }

  /** Resets panes that an earlier life of the agent left in a person's size. */
  start(): void {
    this.#resize(async () => {
      for (const server of await this.#options.tmux.servers()) await server.unfitPanes();
    });
  }

  /** Connects a person to the pane that the worker has now. @throws CommandError when that fails. */
  async open({ terminal, types, worker }: Wanted): Promise<QueryResult> {
    if (this.#streams.size + this.#opening >= TERMINALS_MAX)
      throw new CommandError('too-many-terminals', `Its machine has ${TERMINALS_MAX} terminals open: close one`);
    const coordinator = this.#coordinator;
    if (coordinator === undefined)
      throw new CommandError('not-connected', 'Its machine has not connected yet', { retry: true });
    const placed = await this.#options.tmux.find(worker.workerId);
    if (placed === undefined)
      throw new CommandError(
        'pane-gone',
        `"${worker.name}" has no session on its machine: "drover why ${worker.name}" explains it`,
      );
    this.#opening += 1;
    try {
      const events = { heard: (_text: string): void => {}, closed: (): void => {} };
      let isClosed = false;
      const line = await this.#options.dial(
        { ...coordinator, terminal },
        {
          onMessage: (text) => events.heard(text),
          onClose: () => {
            isClosed = true;
            events.closed();
          },
        },
      );
      const stream = this.#stream(line, placed, types);
      events.heard = (text) => stream.heard(text);
      events.closed = () => stream.close();
      if (isClosed) stream.close();
    } finally {
      this.#opening -= 1;
    }
    const incarnation = formatIncarnation(placed.pane.incarnation);
    this.#options.log('info', `A person ${types ? 'types into' : 'watches'} the pane of "${worker.name}"`, {
      incarnation,
    });
    return { kind: 'terminal-opened', incarnation };
  }

  #stream(line: Line, { server, pane }: Placed<TerminalServer>, types: boolean): Stream {
    const { clock } = this.#options;
    const address = pane.incarnation;
    const { watch, join } = this.#watchOf(server, address);
    let isFitted = false;
    const typist = !types
      ? null
      : new Typist({
          server,
          pane: address,
          clock,
          onHeld: (held) => stream.held(held),
          onSent: () => watch.expectChange(),
          onFailed: (code, message) => stream.ended({ code, message }),
        });
    const key = `${address.serverPid} ${address.paneId}`;
    const stream = new Stream({
      line,
      clock,
      typist,
      onSize: (size) => {
        if (!isFitted) this.#fitted.set(key, (this.#fitted.get(key) ?? 0) + 1);
        isFitted = true;
        this.#resize(() => server.fitPane(address, size));
        watch.expectChange();
      },
      onOver: () => {
        this.#streams.delete(stream);
        leave();
        if (!isFitted) return;
        const left = (this.#fitted.get(key) ?? 1) - 1;
        if (left > 0) this.#fitted.set(key, left);
        else this.#fitted.delete(key);
        this.#resize(async () => {
          if (!this.#fitted.has(key)) await server.unfitPanes(address.paneId);
        });
      },
    });
    this.#streams.add(stream);
    const leave = join(stream);
    return stream;
  }

  #watchOf(
    server: TerminalServer,
    pane: Placed['pane']['incarnation'],
  ): { watch: ScreenWatch; join: (stream: Stream) => () => void } {
    const { redactor, clock } = this.#options;
    const key = formatIncarnation(pane);
    const known = this.#watches.get(key);
    const watch =
      known ?? new ScreenWatch({ server, pane, redactor, clock, onOver: () => void this.#watches.delete(key) });
    this.#watches.set(key, watch);
    return { watch, join: (stream) => watch.add(stream) };
  }

  #resize(work: () => Promise<void>): void {
    this.#sizes = this.#sizes
      .then(work)
      .catch((error: unknown) => this.#options.log('warn', `Cannot resize a pane: ${String(error)}`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stream of this.#streams) stream.ended({ code: 'stopping', message: 'the machine agent is stopping' });
    await this.#sizes;
  }
}
