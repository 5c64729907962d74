/** A shell that is opened before somebody asks for it: far away, its two round trips pass beside those of the first commands. */
import type { LocalClock } from '@drover/base';
import type { Channel } from '../carrier.ts';
import type { OpenShell } from './open-shell.ts';

/** Milliseconds after which it is closed where nobody asks. */
const UNTAKEN_MS = 60_000;

interface PreparedTools {
  readonly clock: LocalClock;
  readonly open: () => Promise<OpenShell>;
  readonly giveUp: (channel: Channel) => void;
}

/** Holds one shell at most. Nothing is written to it before it is taken. */
export class PreparedShell {
  readonly #tools: PreparedTools;
  #ready: Promise<OpenShell | undefined> = Promise.resolve(undefined);
  /** Shell that waits; it may have ended meanwhile. */
  #waiting: { readonly opened: OpenShell; readonly stay: () => void } | undefined;

  constructor(tools: PreparedTools) {
    this.#tools = tools;
  }

  /** Opens a shell. If that fails, {@link PreparedShell.take} has none. */
  prepare(): void {
    this.#ready = this.#tools.open().then(
      (opened) => this.#keep(opened),
      () => undefined,
    );
  }

  /** Waits for a shell that is on its way. @returns undefined if there is none: it was taken, or has ended. */
  async take(): Promise<OpenShell | undefined> {
    const ready = this.#ready;
    this.#ready = Promise.resolve(undefined);
    const opened = await ready;
    if (opened === undefined || this.#waiting?.opened !== opened) return undefined;
    this.#forget();
    return opened;
  }

  #keep(opened: OpenShell): OpenShell {
    const { clock, giveUp } = this.#tools;
    const stay = clock.after(UNTAKEN_MS, () => {
      if (this.#waiting?.opened !== opened) return;
      this.#forget();
      giveUp(opened.channel);
    });
    this.#waiting = { opened, stay };
    const drop = (): void => {
      if (this.#waiting?.opened === opened) this.#forget();
    };
    void opened.channel.exit.then(drop);
    return opened;
  }

  #forget(): void {
    this.#waiting?.stay();
    this.#waiting = undefined;
  }
}
