/** People who attach to workers: each of their terminals is a window of a second tmux server. */
import type { Incarnation, TmuxServer } from '../../src/index.ts';
import type { PaneSize } from '../../src/panes/size.ts';
import { Rig, TMUX } from './rig.ts';

/** A pane of the second server. */
type Terminal = string;

export class Desk implements AsyncDisposable {
  readonly #rig: Rig;
  readonly #terminals: Rig;
  readonly server: TmuxServer;

  private constructor(rig: Rig, terminals: Rig, server: TmuxServer) {
    this.#rig = rig;
    this.#terminals = terminals;
    this.server = server;
  }

  static async make(rig: Rig): Promise<Desk> {
    return new Desk(rig, await Rig.make(), await rig.open());
  }

  /** Starts a session of the usual size. */
  async worker(name: string, argv: readonly string[] = ['cat']): Promise<Incarnation> {
    const outcome = await this.server.createSession({ name, argv, cwd: this.#rig.dir });
    if (outcome.kind !== 'created') throw new Error(`session "${name}": ${outcome.kind}`);
    return outcome.pane.incarnation;
  }

  /** Opens a terminal of this size, and attaches in it. */
  async attach(session: string, { columns, rows }: PaneSize): Promise<Terminal> {
    const client = ['env', '-u', 'TMUX', TMUX, '-u', '-S', this.#rig.socket, 'attach-session', '-t', `=${session}`];
    const size = ['-x', String(columns), '-y', String(rows)];
    const opened = await this.#terminals.tmux(
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-P',
      '-F',
      '#{pane_id}',
      ...size,
      '--',
      ...client,
    );
    return opened.trim();
  }

  async type(terminal: Terminal, keys: string): Promise<void> {
    await this.#terminals.tmux('send-keys', '-t', terminal, keys);
  }

  async resize(terminal: Terminal, { columns, rows }: PaneSize): Promise<void> {
    await this.#terminals.tmux('resize-window', '-t', terminal, '-x', String(columns), '-y', String(rows));
  }

  /** Takes the terminal away from its client. */
  async close(terminal: Terminal): Promise<void> {
    await this.#terminals.tmux('set-option', '-s', 'exit-empty', 'off');
    await this.#terminals.tmux('kill-pane', '-t', terminal);
  }

  /** Process id of the client of a session. */
  async clientOf(session: string): Promise<number> {
    return Number(await this.#clients(session, '#{client_pid}'));
  }

  async clientNameOf(session: string): Promise<string> {
    return (await this.#clients(session, '#{client_name}')).trim();
  }

  async sizeOf({ paneId }: Incarnation): Promise<string> {
    return (await this.#rig.tmux('display-message', '-p', '-t', paneId, '#{pane_width}x#{pane_height}')).trim();
  }

  async shownIn(terminal: Terminal): Promise<string> {
    return this.#terminals.tmux('capture-pane', '-p', '-t', terminal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#terminals[Symbol.asyncDispose]();
  }

  #clients(session: string, format: string): Promise<string> {
    return this.#rig.tmux('list-clients', '-t', `=${session}`, '-F', format);
  }
}
