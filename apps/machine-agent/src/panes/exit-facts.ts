/** Describes the end of a program: its cause, its last words, and a limit that it stood at. */
import type { AgentState, ExitFacts } from '@drover/core';
import { formatIncarnation, signalNumber, type PaneExit } from '@drover/tmux';

/** Lines, and characters of a line, that are reported. */
const LINES_MAX = 40;
const CHARS_MAX = 500;
/** Words that tmux itself writes into the pane of a program that ended. */
const TMUX_WORDS = /^Pane is dead( \(.*\))?$/u;

/** Last reading of an incarnation whose program still ran. */
export interface LastSeen {
  readonly state: AgentState;
  readonly text: string;
}

/**
 * @param text The screen after the end; undefined when it could not be read.
 * @param clean Takes the secrets out of a screen.
 */
export function exitOf(
  exit: PaneExit,
  {
    at,
    seen,
    text,
    clean,
  }: { at: number; seen: LastSeen | undefined; text: string | undefined; clean: (text: string) => string },
): ExitFacts {
  const { cause } = exit;
  const words = lastLines(clean(text ?? ''));
  return {
    incarnation: formatIncarnation(exit.incarnation),
    status: cause.kind === 'exited' ? cause.status : null,
    signal: cause.kind === 'signalled' ? signalNumber(cause.signal) : null,
    lastLines: words.length > 0 ? words : lastLines(clean(seen?.text ?? '')),
    limit: limitOf(seen?.state),
    at,
  };
}

/** Takes lines of a text without secrets: a line that is cut, or a row by itself, would hold half of one. */
function lastLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd().slice(0, CHARS_MAX))
    .filter((line) => line.trim() !== '' && !TMUX_WORDS.test(line))
    .slice(-LINES_MAX);
}

/** Limit that the detector understood: an agent that merely talks about limits has none. */
function limitOf(state: AgentState | undefined): ExitFacts['limit'] {
  if (state?.kind === 'error' && (state.error === 'usage-limit' || state.error === 'rate-limit'))
    return { resets: state.resets };
  if (state?.kind === 'dialog' && state.dialog.kind === 'limit') return { resets: null };
  return null;
}
