/** What is merged is what a person accepted, or what Drover's own steps made of that alone. */
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
    for (const { command } of decision.commands) {
      if (command.kind === 'fast-forward' && !(seen.has(command.commit) && valid.has(command.commit)))
        return `"${command.commit}" is merged: accepted ${[...seen].join(', ')}, checked ${[...valid].join(', ')}`;
      if ((command.kind === 'validate' || command.kind === 'squash') && !seen.has(command.at.head))
        return `"${command.kind}" is commanded for "${command.at.head}", which no person accepted`;
    }
    return null;
  };
}

/** What the results of commands add. */
function follow(moment: Moment, seen: Set<string>, valid: Set<string>): void {
  const command = ended(moment)?.command;
  const result = resultOf(moment);
  if (command === undefined || result === null) return;
  if (command.kind === 'rebase' && result.kind === 'rebased' && seen.has(result.from) && result.unseen === null)
    seen.add(result.head);
  if (command.kind === 'validate' && result.kind === 'valid') valid.add(result.head).add(result.tree);
  if (command.kind === 'squash' && result.kind === 'squashed' && valid.has(result.tree)) {
    seen.add(result.commit);
    valid.add(result.commit);
  }
}
