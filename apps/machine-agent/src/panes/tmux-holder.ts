/** How is the machine's tmux server reached, when tmux may be missing now and installed later? */
import { TmuxServer, type PaneFacts, type TmuxServerOptions } from '@drover/tmux';

/** User options by which a pane is recognised without any database. */
export const OPTIONS = {
  worker: '@drover_worker',
  name: '@drover_name',
  conversation: '@drover_conversation',
  profile: '@drover_profile',
} as const;

/** Opens the server once and holds it; a failed try is made again at the next call. */
export class TmuxHolder implements AsyncDisposable {
  readonly #options: TmuxServerOptions;
  #server: Promise<TmuxServer> | undefined;

  constructor(options: Omit<TmuxServerOptions, 'userOptions'>) {
    this.#options = { ...options, userOptions: Object.values(OPTIONS) };
  }

  /** @throws TmuxError `tmux-missing`, `tmux-too-old`, `server-gone`, `refused`. */
  async server(): Promise<TmuxServer> {
    this.#server ??= TmuxServer.open(this.#options);
    try {
      return await this.#server;
    } catch (error) {
      this.#server = undefined;
      throw error;
    }
  }

  /** Disconnects; the server and its panes go on. */
  async [Symbol.asyncDispose](): Promise<void> {
    const server = await this.#server?.catch(() => undefined);
    await server?.[Symbol.asyncDispose]();
  }
}

/** The worker of a pane, if it is a managed one. */
export function workerOf({ options }: { readonly options: Readonly<Record<string, string>> }): string | undefined {
  return options[OPTIONS.worker];
}

/** A worker's pane among all panes: the living one, if there should ever be two. */
export function paneOf(panes: readonly PaneFacts[], workerId: string): PaneFacts | undefined {
  const own = panes.filter((pane) => workerOf(pane) === workerId);
  return own.find((pane) => !pane.dead) ?? own[0];
}
