/** Is what is merged what a person accepted, or what Drover's own steps made of that and of nothing else? */
import type { Moment, Watch } from '../history.ts';
import { ended, isPersons, resultOf } from './rule.ts';
import type { Rule } from './rule.ts';

/** For each object that the default branch is moved to (docs/adr/0078-what-was-reviewed.md). */
export const REVIEWED: Rule = {
  letter: 'reviewed',
  holds: 'nothing is merged that no person accepted',
  watch: followsObjects,
};

function followsObjects(): Watch {
  /** Commits that a person has seen, or as good as seen, since the last task began. */
  let seen = new Set<string>();
  /** Trees of which a machine said that the checks passed on them. */
  let valid = new Set<string>();
  return (moment) => {
    const { event, decision } = moment;
    if (isPersons(moment) && event.kind === 'accept-ordered') {
      if (event.pin === null) return 'accepted without a word of what was reviewed';
      if (!seen.has(event.pin.head)) [seen, valid] = [new Set([event.pin.head]), new Set()];
    }
    follow(moment, seen, valid);
    for (const { op } of decision.commands) {
      if (op.kind === 'fast-forward' && !(seen.has(op.commit) && valid.has(op.commit)))
        return `"${op.commit}" is merged: accepted ${[...seen].join(', ')}, checked ${[...valid].join(', ')}`;
      if ((op.kind === 'validate' || op.kind === 'squash') && !seen.has(op.at.head))
        return `"${op.kind}" is ordered for "${op.at.head}", which no person accepted`;
    }
    return null;
  };
}

/** What the results of orders add. */
function follow(moment: Moment, seen: Set<string>, valid: Set<string>): void {
  const op = ended(moment)?.op;
  const result = resultOf(moment);
  if (op === undefined || result === null) return;
  if (op.kind === 'rebase' && result.kind === 'rebased' && seen.has(result.from) && result.unseen === null)
    seen.add(result.head);
  if (op.kind === 'validate' && result.kind === 'valid') valid.add(result.head).add(result.tree);
  if (op.kind === 'squash' && result.kind === 'squashed' && valid.has(result.tree)) {
    seen.add(result.commit);
    valid.add(result.commit);
  }
}
