/** Names what a run can still do, and how people are notified. */

import type { Degradation, DegradationLevel, RunView } from './types.ts';

/** Returns the roles of a run that still work, in the order of their first stage. A failed run has none. */
export function availableCapabilities(run: RunView, degradation: Degradation): readonly string[] {
  if (degradation.level === 'failed') return [];
  const roles = [...new Set(run.stages.map(({ role }) => role))];
  return roles.filter((role) => !degradation.unavailableRoles.includes(role));
}

const HEADLINES: Readonly<Record<DegradationLevel, string>> = {
  full: 'Everything works.',
  reduced: 'The run continues with losses.',
  minimal: 'The run continues with the minimum.',
  failed: 'The run cannot continue.',
};

/** Returns some lines for people: the state, the losses, and the cautions. */
export function degradationSummary(degradation: Degradation): string {
  const { level, unavailableRoles, skippedStages, partialOutputs, unverified, warnings } = degradation;
  return [
    HEADLINES[level],
    ...listed('Not available', unavailableRoles),
    ...listed('Skipped', skippedStages),
    ...listed('Partial', partialOutputs),
    ...(unverified ? ['Outputs are not verified: read them before you use them.'] : []),
    ...warnings.map((warning) => `- ${warning}`),
  ].join('\n');
}

function listed(title: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${title}: ${names.join(', ')}`];
}
