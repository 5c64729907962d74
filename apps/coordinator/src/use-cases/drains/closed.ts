/** What stands in the way of new work on a machine? */
import type { Machine } from '@drover/store';

/** Why a machine gets no new work, and what to do instead; null: it gets some. */
export function whyNoWork(machine: Pick<Machine, 'name' | 'cordon'> | undefined): string | null {
  if (machine?.cordon == null) return null;
  const { by, drain: draining } = machine.cordon;
  const what = draining === null ? `cordoned by ${by}` : `drained by ${by}`;
  return `The machine "${machine.name}" gets no new work: it is ${what}. Choose another one, or run "drover machines uncordon ${machine.name}"`;
}
