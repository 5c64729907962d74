/** Frees workers. */
import { change, nextRequest, request } from '../step.ts';
import type { RunStep } from '../step.ts';

/** Frees a worker; the run ends only after it is free. */
export function release(step: RunStep, name: string, workerId: string): RunStep {
  const id = nextRequest(step);
  const asked = request(step, { kind: 'release', item: name, workerId });
  return change(asked, { releasing: [...asked.run.releasing, { request: id, workerId }] });
}
