/** Names a signal that tmux reports as a number. */

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
