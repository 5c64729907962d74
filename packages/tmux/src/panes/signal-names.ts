/** Names a signal that tmux reports as a number, and the other way round. */
// oxlint-disable-next-line no-restricted-imports -- numbers of signals, which people read, by their names
import { constants } from 'node:os';

/** Signals with the same number on Linux, macOS and the BSDs (POSIX and historical). */
const NAMES: Readonly<Record<string, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
};

/** Turns `9`, `kill` and `KILL` into `SIGKILL`, and a number without a common name into `SIG<number>`. */
export function signalName(reported: string): string {
  return NAMES[reported] ?? `SIG${reported.toUpperCase()}`;
}

/** Number of a signal by its name, such as 9 for `SIGKILL`; null when it has none here. */
export function signalNumber(name: string): number | null {
  const found = Object.entries(constants.signals).find(([known]) => known === name)?.[1];
  const digits = /^SIG(\d+)$/u.exec(name)?.[1];
  return found ?? (digits === undefined ? null : Number(digits));
}
