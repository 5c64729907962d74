/** Changes a machine's labels and capacity for a person. */
import { LABELS_MAX } from '@drover/api';
import type { Actor, MachineFleet, MachineRequestView, Outcome, Refusal } from '@drover/api';
import type { Context } from '../../context/context.ts';
import { heldMachine } from '../../facts/machines/closed.ts';
import { refused } from '../../context/refused.ts';
import { changeMachine } from './change.ts';

type Asked = Parameters<MachineFleet['labelMachine']>[0];

/** Changes only the named fields. */
export function label(ctx: Context, { name, ...asked }: Asked, by: Actor): Promise<Outcome<MachineRequestView>> {
  return changeMachine(ctx, by, {
    name,
    action: 'machine-labelled',
    details: Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)),
    change: async (tx, { id }) => {
      const now = await heldMachine(tx, id);
      if (now === null) return false;
      const labels = labelsAfter(now, asked);
      if ('kind' in labels) return labels;
      const { capacity = now.capacity, address = now.address } = asked;
      if (asked.labels ?? asked.add ?? asked.remove) await tx.renewStagedProfiles();
      return tx.saveTerms(id, { labels: [...labels], capacity, address });
    },
  });
}

/**
 * Computes the labels from the present ones. Removing a label that the machine does not have is a typing mistake: the intended label
 * would stay.
 */
function labelsAfter(
  { name, labels: has }: { readonly name: string; readonly labels: readonly string[] },
  { labels = [...has], add = [], remove = [] }: Omit<Asked, 'name'>,
): readonly string[] | Refusal {
  const lacking = remove.filter((one) => !labels.includes(one));
  if (lacking.length > 0) {
    const known = labels.length === 0 ? 'it has none' : `it has: ${labels.join(', ')}`;
    return refused('not-labelled', `"${name}" does not have the label ${lacking.join(', ')}; ${known}`);
  }
  const kept = labels.filter((one) => !remove.includes(one));
  const after = [...new Set([...kept, ...add])].toSorted();
  return after.length > LABELS_MAX ? refused('invalid', `A machine may have at most ${LABELS_MAX} labels`) : after;
}
