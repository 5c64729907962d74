/** R6: does the level of an incident only rise, and fall to none only when somebody says that it is over? */
import type { Watch } from '../history.ts';
import { recordsOf } from './rule.ts';
import type { Rule } from './rule.ts';

/** R6, in the row and in what is written down. */
export const R6: Rule = {
  letter: 'R6',
  holds: 'the level of an incident only rises, and no incident ends unsaid',
  watch: onlyRises,
};

function onlyRises(): Watch {
  const highest = new Map<string, number>();
  return (moment) => {
    const { before, decision } = moment;
    const { incident } = decision.worker;
    for (const entry of recordsOf(moment, 'recovery')) {
      if (entry.level < (highest.get(entry.incident) ?? 0)) return `level ${entry.level} was tried after a higher one`;
      highest.set(entry.incident, entry.level);
    }
    if (incident !== null) {
      const former = highest.get(incident.id) ?? 0;
      if (incident.level < former) return `the level fell from ${former} to ${incident.level}`;
      highest.set(incident.id, incident.level);
    }
    if (before.incident === null || before.incident.id === incident?.id) return null;
    const { id } = before.incident;
    const isSaid = decision.records.some(
      (entry) => (entry.kind === 'recovered' || entry.kind === 'escalation-closed') && entry.incident === id,
    );
    return isSaid ? null : `incident ${before.incident.code} is gone, and nobody said that it is over`;
  };
}
