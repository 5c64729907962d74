/** Says why a request is refused, and what to do instead. */
import { isLeaving } from '../worker/lifecycle.ts';
import type { Lifecycle } from '../worker/lifecycle.ts';

/** Refusal while the work is being merged. */
export const MERGING = 'Its work is being merged: wait until that is done, then repeat';

/** Says how to bring up a worker that is not wanted up. */
export function notUp(lifecycle: Lifecycle): string {
  return isLeaving(lifecycle) ? 'The worker is being removed' : 'The worker is not up: run "drover up"';
}

/** Returns the command that helps a worker in this state on. */
export function wayOut(status: string): string {
  switch (status) {
    case 'needs_review':
      return 'run "drover review", then "drover accept" or "drover reject"';
    case 'needs_input':
      return 'answer it with "drover message"';
    case 'error':
      return 'see "drover why"; "drover message" resumes it';
    case 'idle':
      return 'give it a task with "drover start"';
    case 'offline':
      return 'wait until its session has started ("drover why" says what it is waiting for), then repeat';
    default:
      return 'wait until it is done, or send it a "drover message"';
  }
}
