/** R4: everything is typed into the incarnation, and onto the screen, that was decided upon. */
import type { AgentState } from '../../agent-state.ts';
import type { Command } from '../../machine/commands.ts';
import type { Reading } from '../../machine/reading.ts';
import type { Moment, Watch } from '../history.ts';
import { resultOf } from './rule.ts';
import type { Rule } from './rule.ts';

/** R4, judged by the seen screens and not by the row. */
export const R4: Rule = {
  letter: 'R4',
  holds:
    'everything is typed into the present incarnation of the pane, onto its newest screen, and no text into a dialog',
  watch: presentOnly,
};

interface Seen {
  readonly incarnation: string;
  /** The newest screen of this incarnation; null until one was seen, and after a key was pressed. */
  readonly reading: Reading | null;
}

function presentOnly(): Watch {
  let seen: Seen | null = null;
  return (moment) => {
    seen = witnessed(seen, moment);
    for (const { command } of moment.decision.commands) {
      const wrong = wrongWith(command, seen);
      if (wrong !== null) return wrong;
    }
    return null;
  };
}

/** Returns the knowledge of a person at the machine after this event. */
function witnessed(seen: Seen | null, moment: Moment): Seen | null {
  const { event, before, decision } = moment;
  if (event.kind === 'screen-seen') return newer(seen, event.incarnation, event.reading);
  if (event.kind === 'pane-exited') return seen?.incarnation === event.exit.incarnation ? null : seen;
  if (event.kind === 'panes-listed') {
    if (event.pane === null) return null;
    const adopted =
      before.session.pane.kind === 'absent' && decision.worker.session.pane.kind !== 'absent' && !event.pane.dead;
    return adopted ? { incarnation: event.pane.incarnation, reading: null } : seen;
  }
  const result = resultOf(moment);
  switch (result?.kind) {
    case 'opened':
      return { incarnation: result.incarnation, reading: null };
    case 'pane-gone':
    case 'closed':
      return null;
    case 'observed':
      if (result.incarnation === null) return null;
      return result.screen === null ? seen : newer(seen, result.incarnation, result.screen);
    case 'answered':
    case 'stale':
      return seen === null ? null : { ...seen, reading: null };
    default:
      return seen;
  }
}

function newer(seen: Seen | null, incarnation: string, reading: Reading): Seen | null {
  if (seen === null || seen.incarnation !== incarnation || (seen.reading !== null && reading.at < seen.reading.at))
    return seen;
  return { incarnation, reading };
}

function wrongWith(command: Command, seen: Seen | null): string | null {
  if (!('incarnation' in command)) return null;
  if (command.kind === 'respawn' || command.kind === 'interrupt')
    return seen !== null && seen.incarnation !== command.incarnation
      ? `"${command.kind}" in a former incarnation (${command.incarnation})`
      : null;
  if (seen === null || seen.incarnation !== command.incarnation)
    return `"${command.kind}" into a former incarnation (${command.incarnation})`;
  if (seen.reading === null) return `"${command.kind}" onto a screen that was not seen`;
  const { state, fingerprint } = seen.reading;
  if (command.kind === 'deliver') return 'dialog' in state ? `a text is typed into a ${state.kind}` : null;
  if (command.fingerprint !== fingerprint) return 'an answer is given to another screen';
  return command.choice.kind === 'policy' || offers(state, command.choice.label)
    ? null
    : `no option is "${command.choice.label}"`;
}

function offers(state: AgentState, label: string): boolean {
  return 'dialog' in state && state.dialog.options.some((option) => option.label === label);
}
