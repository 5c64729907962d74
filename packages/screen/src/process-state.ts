/** Reads what tmux's own facts say about the program of a pane. */
import { codeForExit, type AgentState, type ExitCause } from '@drover/core';
import type { PaneState } from './detection.ts';

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

/**
 * `exited` when the pane is dead or a shell stands in it; null when the program runs.
 *
 * @param commands The program's own commands: a profile of a shell names it there.
 */
export function processState(
  facts: PaneState,
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

/** Returns the cause of the end, as the policy will have it: its own judgement is asked, so that no screen says otherwise. */
function causeOf({ deadStatus, deadSignal }: PaneState): ExitCause {
  const end = { cause: 'unknown', status: deadStatus, signal: deadSignal === 0 ? null : deadSignal } as const;
  if (end.status === null && end.signal === null) return 'unknown';
  return codeForExit(end) === null ? 'user' : 'crash';
}
