/** Holds what every question has before somebody answers it. */
import type { EscalationRow } from '@drover/store';

export function unanswered(now: number) {
  return {
    level: 4,
    status: 'open',
    resolution: null,
    application: null,
    members: [],
    asked: 1,
    version: 1,
    occurrences: 1,
    createdAt: now,
    updatedAt: now,
    ackedBy: null,
    resolvedAt: null,
    oncall: null,
  } as const satisfies Partial<EscalationRow>;
}
