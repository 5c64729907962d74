/** What do tmux's own facts say about the program of a pane? */
import type { AgentState, ExitCause } from '@drover/core';
import type { PaneFacts } from './look.ts';

/** Foreground commands that are a shell: the agent is not, or no longer, there. */
const SHELLS: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'zsh',
  'fish',
  'dash',
  'ksh',
  'mksh',
  'ash',
  'tcsh',
  'csh',
  'nu',
  'pwsh',
  'xonsh',
  'elvish',
]);

/** Statuses and signals by which somebody ends a program: Ctrl-C, SIGTERM, SIGHUP, and the shell's 128 + n for them. */
const ENDED_ON_PURPOSE: ReadonlySet<number> = new Set([0, 129, 130, 143]);
const SIGNALS_OF_PEOPLE: ReadonlySet<number> = new Set([1, 2, 15]);

/**
 * `exited` when the pane is dead or a shell stands in it; null when the program runs.
 *
 * @param commands The program's own commands: a profile of a shell names it there.
 */
export function processState(
  facts: PaneFacts,
  commands: readonly string[],
): { state: AgentState; rule: string; seen: string } | null {
  if (facts.dead) {
    const seen = `status ${facts.deadStatus ?? 'unknown'}, signal ${facts.deadSignal ?? 'none'}`;
    return {
      state: { kind: 'exited', cause: causeOf(facts), status: facts.deadStatus, signal: facts.deadSignal },
      rule: 'pane-dead',
      seen,
    };
  }
  const command = facts.command.replace(/^-/u, '');
  if (!SHELLS.has(command) || commands.includes(command)) return null;
  return {
    state: { kind: 'exited', cause: 'unknown', status: null, signal: null },
    rule: 'shell-in-pane',
    seen: facts.command,
  };
}

function causeOf({ deadStatus, deadSignal }: PaneFacts): ExitCause {
  if (deadSignal !== null && deadSignal !== 0) return SIGNALS_OF_PEOPLE.has(deadSignal) ? 'user' : 'crash';
  if (deadStatus === null) return 'unknown';
  return ENDED_ON_PURPOSE.has(deadStatus) ? 'user' : 'crash';
}
