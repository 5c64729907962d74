/** R5: an unknown outcome is checked before anything is typed again. */
import type { DeliveryEvidence } from '../../machine/reading.ts';
import type { Text } from '../../worker/mailbox.ts';
import { inHand } from '../../worker/task.ts';
import type { Moment, Watch } from '../history.ts';
import { ended, isPersons, resultOf } from './rule.ts';
import type { Rule } from './rule.ts';

/** R5, for each text by its own name. */
export const R5: Rule = {
  letter: 'R5',
  holds: 'a text whose fate is unknown is typed again only after a check, and as the check says',
  watch: checksFirst,
};

type Fate = 'unknown' | Exclude<DeliveryEvidence['kind'], 'unclear'>;

function checksFirst(): Watch {
  const fates = new Map<string, { seq: number; fate: Fate }>();
  return (moment) => {
    const { before, decision } = moment;
    if (inHand(before.task)?.id !== inHand(decision.worker.task)?.id) fates.clear();
    note(fates, moment);
    for (const { command, seq } of decision.commands) {
      const text = decision.worker.mailbox.current;
      if (command.kind !== 'deliver' || text === null) continue;
      const known = fates.get(nameOf(text));
      if (known?.fate === 'unknown') return `typed again blindly: ${text.purpose} ${text.id}, attempt ${known.seq}`;
      if (known?.fate === 'taken') return `typed again after it was taken: ${text.purpose} ${text.id}`;
      if (known?.fate === 'in-box-whole' && !command.enterOnly) return `typed over itself: ${text.purpose} ${text.id}`;
      if (known?.fate === 'in-box-part' && !command.clearFirst) return `typed after a part of itself: ${text.id}`;
      if (known !== undefined) fates.set(nameOf(text), { seq, fate: 'absent' });
    }
    // A worker that a person brings back to a checkpoint begins again.
    if (isPersons(moment) && moment.event.kind === 'restore-requested') fates.clear();
    // An agent that is given the words again by a person begins again.
    if (isPersons(moment) && decision.worker.session.pane.kind !== 'up') fates.clear();
    return null;
  };
}

/** Names a text by purpose and id, because a decision may give two texts the same fresh name. */
function nameOf({ purpose, id }: Text): string {
  return `${purpose} ${id}`;
}

function note(fates: Map<string, { seq: number; fate: Fate }>, moment: Moment): void {
  const inFlight = ended(moment);
  if (inFlight === null) return;
  const { command, seq } = inFlight;
  const { current } = moment.before.mailbox;
  const result = resultOf(moment);
  if (command.kind === 'deliver' && current !== null && current.text === command.text) {
    if (result === null) fates.set(nameOf(current), { seq, fate: 'unknown' });
    if (result?.kind === 'delivered') fates.set(nameOf(current), { seq, fate: 'taken' });
  }
  if (command.kind !== 'observe' || command.delivery === null || result?.kind !== 'observed') return;
  for (const [id, known] of fates) {
    const fate = result.delivery?.kind;
    if (known.seq === command.delivery && fate !== undefined && fate !== 'unclear') fates.set(id, { ...known, fate });
  }
}
