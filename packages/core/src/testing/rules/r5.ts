/** R5: is an unknown outcome looked into before anything is typed again? */
import type { DeliveryEvidence } from '../../worker/op.ts';
import type { Outgoing } from '../../worker/worker.ts';
import type { Moment, Watch } from '../history.ts';
import { ended, isPersons, resultOf } from './rule.ts';
import type { Rule } from './rule.ts';

/** R5, for each text by its own name. */
export const R5: Rule = {
  letter: 'R5',
  holds: 'a text whose fate is unknown is typed again only after a look, and as the look says',
  watch: looksFirst,
};

type Fate = 'unknown' | Exclude<DeliveryEvidence['kind'], 'unclear'>;

function looksFirst(): Watch {
  const fates = new Map<string, { seq: number; fate: Fate }>();
  return (moment) => {
    const { before, decision } = moment;
    if (before.task?.id !== decision.worker.task?.id) fates.clear();
    note(fates, moment);
    for (const { op, seq } of decision.commands) {
      const text = decision.worker.outgoing;
      if (op.kind !== 'deliver' || text === null) continue;
      const known = fates.get(nameOf(text));
      if (known?.fate === 'unknown') return `typed again blindly: ${text.purpose} ${text.id}, attempt ${known.seq}`;
      if (known?.fate === 'taken') return `typed again after it was taken: ${text.purpose} ${text.id}`;
      if (known?.fate === 'in-box-whole' && !op.enterOnly) return `typed over itself: ${text.purpose} ${text.id}`;
      if (known?.fate === 'in-box-part' && !op.clearFirst) return `typed after a part of itself: ${text.id}`;
      if (known !== undefined) fates.set(nameOf(text), { seq, fate: 'absent' });
    }
    // Whoever brings the worker back to a checkpoint has it begin anew.
    if (isPersons(moment) && moment.event.kind === 'restore-ordered') fates.clear();
    // Whoever is given the words again by a person begins anew.
    if (isPersons(moment) && decision.worker.pane.kind !== 'up') fates.clear();
    return null;
  };
}

/** One decision may name two texts by the same fresh name. */
function nameOf({ purpose, id }: Outgoing): string {
  return `${purpose} ${id}`;
}

function note(fates: Map<string, { seq: number; fate: Fate }>, moment: Moment): void {
  const inFlight = ended(moment);
  if (inFlight === null) return;
  const { op, seq } = inFlight;
  const { outgoing } = moment.before;
  const result = resultOf(moment);
  if (op.kind === 'deliver' && outgoing !== null && outgoing.text === op.text) {
    if (result === null) fates.set(nameOf(outgoing), { seq, fate: 'unknown' });
    if (result?.kind === 'delivered') fates.set(nameOf(outgoing), { seq, fate: 'taken' });
  }
  if (op.kind !== 'look' || op.delivery === null || result?.kind !== 'looked') return;
  for (const [id, known] of fates) {
    const fate = result.delivery?.kind;
    if (known.seq === op.delivery && fate !== undefined && fate !== 'unclear') fates.set(id, { ...known, fate });
  }
}
