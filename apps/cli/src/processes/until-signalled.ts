/** Ends a long-running command: by Ctrl-C, SIGTERM, a hang-up, or by a call of its own parts. */

import { EXIT_CODES } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { openDoor } from '../terminal/terminal.ts';

/** Source of the end. */
export type Asker = 'signal' | 'call';

/** The end of a long-running command. */
export interface Ending {
  /** Fires once when the end is asked for. */
  readonly signal: AbortSignal;
  /** Asks for the end. */
  end(): void;
  /** Ends the command because nothing can go on: the message goes to stderr, and the exit status names the reason. */
  fail(message: string, code?: ExitCode): void;
  /** Resolves when the end is asked for. */
  readonly asked: Promise<Asker>;
}

/** Takes the process's signals until one comes; a second one ends the process at once. */
export function untilSignalled(): Ending {
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<Asker>();
  const end = (asker: Asker): void => {
    for (const name of SIGNALS) process.off(name, onSignal);
    controller.abort();
    resolve(asker);
  };
  const onSignal = (): void => end('signal');
  for (const name of SIGNALS) process.on(name, onSignal);
  const fail = (message: string, code: ExitCode = 'environment'): void => {
    openDoor({ json: false }).err(`drover: ${message}`);
    process.exitCode = EXIT_CODES[code].status;
    end('call');
  };
  return { signal: controller.signal, end: () => end('call'), fail, asked: promise };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
