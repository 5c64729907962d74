/** R6: the level of an incident only rises, and an incident ends only with a record that says so. */
import type { Watch } from '../history.ts';
import { recordsOf } from './rule.ts';
import type { Rule } from './rule.ts';

/** R6, in the row and in the records. */
export const R6: Rule = {
  letter: 'R6',
  holds: 'the level of an incident only rises, and no incident ends unsaid',
  watch: onlyRises,
};

function onlyRises(): Watch {
  const highest = new Map<string, number>();
  return (moment) => {
    const { before, decision } = moment;
    const incident = decision.worker.incident.open;
    const former = before.incident.open;
    for (const entry of recordsOf(moment, 'recovery')) {
      if (entry.level < (highest.get(entry.incident) ?? 0)) return `level ${entry.level} was tried after a higher one`;
      highest.set(entry.incident, entry.level);
    }
    if (incident !== null) {
      const level = highest.get(incident.id) ?? 0;
      if (incident.level < level) return `the level fell from ${level} to ${incident.level}`;
      highest.set(incident.id, incident.level);
    }
    if (former === null || former.id === incident?.id) return null;
    const { id } = former;
    const isSaid = decision.records.some(
      (entry) => (entry.kind === 'recovered' || entry.kind === 'escalation-closed') && entry.incident === id,
    );
    return isSaid ? null : `incident ${former.code} is gone, and nobody said that it is over`;
  };
}
