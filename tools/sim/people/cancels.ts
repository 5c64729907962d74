// Decides when people cancel a task.
import { inHand } from '@drover/core';
import type { Worker, WorkerStatus } from '@drover/core';
import type { SeededRandom } from '@drover/testkit';

/** Chance that a person who looks at a worker in such a state cancels its task. Cancelling finished work is refused. */
const CANCELS: Readonly<Partial<Record<WorkerStatus, number>>> = {
  working: 0.06,
  rebasing: 0.2,
  rejected: 0.08,
  needs_input: 0.05,
  needs_review: 0.01,
  error: 0.06,
  offline: 0.06,
};

/** Tells whether a person who looks at a worker wants its task cancelled. */
export function wantsCancel({ task, lifecycle }: Worker, random: SeededRandom): boolean {
  return inHand(task) !== null && random.chance(CANCELS[lifecycle.status] ?? 0);
}
