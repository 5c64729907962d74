/** R1: every worker is heard of again, by a deadline or by a person who was asked. */
import type { Watch } from '../history.ts';
import { recordsOf } from './rule.ts';
import type { Rule } from './rule.ts';

/** R1, and a promise that no worker that waits for its machine is forgotten. */
export const R1: Rule = {
  letter: 'R1',
  holds: 'a worker that is not idle, taken down or in review has an armed deadline or an open question to a person',
  watch: heardAgain,
};

function heardAgain(): Watch {
  /** Questions that are open by the records, not by the row. */
  const open = new Set<string>();
  return (moment) => {
    const { worker } = moment.decision;
    for (const entry of moment.decision.records) {
      if (entry.kind === 'escalated') open.add(entry.incident);
      if (entry.kind === 'escalation-closed') open.delete(entry.incident);
    }
    for (const { incident, application } of recordsOf(moment, 'answer-applied'))
      if (application === 'pending') open.delete(incident);
      else if (application !== 'applied') open.add(incident);

    const { lifecycle, command, deadlines } = worker;
    const { status, wanted } = lifecycle;
    const { inFlight } = command;
    const incident = worker.incident.open;
    const isAsked = incident !== null && incident.escalated;
    if (isAsked && !open.has(incident.id)) return 'the row says that a person was asked, and nobody was';
    if (inFlight !== null && deadlines.command === undefined)
      return `nobody waits for the end of "${inFlight.command.kind}"`;
    const isAtRest = status === 'idle' || status === 'needs_review' || (status === 'offline' && wanted !== 'up');
    if (isAtRest || isAsked || Object.keys(deadlines).length > 0) return null;
    return `nothing is armed for a worker that is ${status} and wanted ${wanted}, and nobody was asked`;
  };
}
