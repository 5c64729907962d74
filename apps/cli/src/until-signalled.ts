/** Runs until somebody asks for the end: Ctrl-C, SIGTERM, a hang-up, or a call. */

/** The end of a long-running command. */
export interface Ending {
  /** Fires once when the end is asked for. */
  readonly signal: AbortSignal;
  /** Asks for the end. */
  end(): void;
  /** Resolves when the end is asked for. */
  readonly asked: Promise<void>;
}

/** Takes the process's signals until one comes; a second one ends the process at once. */
export function untilSignalled(): Ending {
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => {
    for (const name of SIGNALS) process.off(name, end);
    controller.abort();
    resolve();
  };
  for (const name of SIGNALS) process.on(name, end);
  return { signal: controller.signal, end, asked: promise };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
