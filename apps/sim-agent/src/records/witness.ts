// Logs what truly happened in here. Tests trust the log more than the screen: it is written before the program goes on.

import { createHash } from 'node:crypto';
import { openSync, writeSync } from 'node:fs';

/** Line of the witness log. `t` is milliseconds since the epoch. */
export type WitnessEvent =
  | { readonly event: 'started'; readonly cwd: string; readonly argv: readonly string[]; readonly resumed: boolean }
  | { readonly event: 'ready' }
  | {
      /** A prompt was taken: `prompt` is exactly what the model receives; the hash is of its UTF-8 bytes. */
      readonly event: 'taken';
      readonly prompt: string;
      readonly sha256: string;
      readonly bytes: number;
      readonly promptId: string;
      readonly source: 'argument' | 'typed' | 'queued';
      /** Number of collapsed pastes in it. */
      readonly pastes: number;
    }
  | { readonly event: 'queued'; readonly sha256: string; readonly bytes: number }
  | { readonly event: 'enter-swallowed'; readonly why: 'start' | 'burst' | 'requested' }
  | { readonly event: 'text-lost' | 'text-cut'; readonly text: string }
  | { readonly event: 'stop-refused'; readonly reason: string }
  | { readonly event: 'blank' }
  | { readonly event: 'step'; readonly step: string }
  | { readonly event: 'dialog-opened'; readonly dialog: string; readonly options: readonly string[] }
  | { readonly event: 'dialog-answered'; readonly dialog: string; readonly answer: string }
  | { readonly event: 'interrupted'; readonly restored: boolean }
  | { readonly event: 'turn-ended'; readonly promptId: string; readonly outcome: string }
  | { readonly event: 'shell' | 'command'; readonly text: string }
  | { readonly event: 'cleared' }
  | { readonly event: 'exit'; readonly code: number; readonly why: string };

/** A line of the log: when (milliseconds since the epoch), in which process and session, and what. */
export type WitnessLine = WitnessEvent & { readonly t: number; readonly pid: number; readonly session: string };

/** Appends one event. */
export type Witness = (event: WitnessEvent) => void;

/** SHA-256 of a text's UTF-8 bytes, in hexadecimal. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Opens the log for appending, shared with other lives of the same agent: one `write` for each event.
 * @param path undefined keeps no log.
 */
export function openWitness(
  path: string | undefined,
  facts: { now: () => number; pid: number; session: () => string },
): Witness {
  if (path === undefined) return () => undefined;
  const file = openSync(path, 'a');
  return (event) => {
    writeSync(file, `${JSON.stringify({ t: facts.now(), pid: facts.pid, session: facts.session(), ...event })}\n`);
  };
}
