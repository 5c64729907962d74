/** Arms and disarms the deadlines that are not derived from other state alone. */
import type { DeadlineName } from '../worker/deadline.ts';
import { set } from './step.ts';
import type { Step } from './step.ts';

/** Arms a deadline. `at`: epoch milliseconds. */
export function arm(step: Step, name: DeadlineName, at: number): Step {
  return set(step, { deadlines: { ...step.worker.deadlines, [name]: at } });
}

/** Takes a deadline from those that are armed. */
export function disarm(step: Step, name: DeadlineName): Step {
  if (step.worker.deadlines[name] === undefined) return step;
  const { [name]: _disarmed, ...others } = step.worker.deadlines;
  return set(step, { deadlines: others });
}
