/** R4: is everything typed into the life, and onto the screen, that was decided upon? */
import type { AgentState } from '../../agent-state.ts';
import type { Look, Op } from '../../worker/op.ts';
import type { Moment, Watch } from '../history.ts';
import { resultOf } from './rule.ts';
import type { Rule } from './rule.ts';

/** R4, judged by what was seen and not by what the row remembers. */
export const R4: Rule = {
  letter: 'R4',
  holds:
    'nothing is typed but into the present life of the pane, onto the newest screen, and never a text into a dialog',
  watch: presentOnly,
};

interface Seen {
  readonly life: string;
  /** The newest screen of this life; null until one was seen, and after a key was pressed. */
  readonly look: Look | null;
}

function presentOnly(): Watch {
  let seen: Seen | null = null;
  return (moment) => {
    seen = witnessed(seen, moment);
    for (const { op } of moment.decision.commands) {
      const wrong = wrongWith(op, seen);
      if (wrong !== null) return wrong;
    }
    return null;
  };
}

/** What somebody at the machine knows after this event. */
function witnessed(seen: Seen | null, moment: Moment): Seen | null {
  const { event, before, decision } = moment;
  if (event.kind === 'screen-seen') return newer(seen, event.incarnation, event.look);
  if (event.kind === 'pane-exited') return seen?.life === event.exit.incarnation ? null : seen;
  if (event.kind === 'panes-listed') {
    if (event.pane === null) return null;
    const adopted = before.pane.kind === 'absent' && decision.worker.pane.kind !== 'absent' && !event.pane.dead;
    return adopted ? { life: event.pane.incarnation, look: null } : seen;
  }
  const result = resultOf(moment);
  switch (result?.kind) {
    case 'opened':
      return { life: result.incarnation, look: null };
    case 'pane-gone':
    case 'closed':
      return null;
    case 'looked':
      if (result.incarnation === null) return null;
      return result.screen === null ? seen : newer(seen, result.incarnation, result.screen);
    case 'answered':
    case 'stale':
      return seen === null ? null : { ...seen, look: null };
    default:
      return seen;
  }
}

function newer(seen: Seen | null, life: string, look: Look): Seen | null {
  if (seen === null || seen.life !== life || (seen.look !== null && look.at < seen.look.at)) return seen;
  return { life, look };
}

function wrongWith(op: Op, seen: Seen | null): string | null {
  if (op.kind !== 'deliver' && op.kind !== 'answer' && op.kind !== 'respawn') return null;
  if (op.kind === 'respawn')
    return seen !== null && seen.life !== op.incarnation ? `"respawn" in a former life (${op.incarnation})` : null;
  if (seen === null || seen.life !== op.incarnation) return `"${op.kind}" into a former life (${op.incarnation})`;
  if (seen.look === null) return `"${op.kind}" onto a screen that nobody has seen`;
  const { state, fingerprint } = seen.look;
  if (op.kind === 'deliver') return 'dialog' in state ? `a text is typed into a ${state.kind}` : null;
  if (op.fingerprint !== fingerprint) return 'an answer is given to another screen';
  return op.choice.kind === 'policy' || offers(state, op.choice.label) ? null : `no option is "${op.choice.label}"`;
}

function offers(state: AgentState, label: string): boolean {
  return 'dialog' in state && state.dialog.options.some((option) => option.label === label);
}
