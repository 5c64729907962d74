/** The colour of a worker's state, and the next step of a person for a worker, or for all of them. */
import type { WorkerView } from '@drover/api';
import { paint } from '../../terminal/style.ts';
import type { Style } from '../../terminal/style.ts';
import { refIn } from './by-name.ts';

const STATUS_STYLE: Readonly<Record<WorkerView['status'], Style>> = {
  idle: 'dim',
  working: 'cyan',
  needs_input: 'yellow',
  needs_review: 'green',
  rejected: 'magenta',
  rebasing: 'blue',
  error: 'red',
  offline: 'dim',
};

/** Paints a worker's state in its colour. */
export function paintStatus(status: WorkerView['status'], colours: boolean): string {
  return paint(status, STATUS_STYLE[status], colours);
}

/**
 * Formats a sentence with the command to type; null if the person has nothing to do.
 *
 * @param isAsked True if a question about the worker is open. The page shows the question on its own, and while a
 * dialog is open, Drover refuses a message.
 */
export function nextStep(
  { name, status, run, accepting, moving, offered }: WorkerView,
  isAsked = false,
): string | null {
  if (accepting !== null || moving !== null) return null;
  switch (status) {
    case 'idle':
      return `it is ready for a task: drover start --worker ${name} --prompt "…"`;
    case 'needs_review':
      if (run !== null) return null;
      if (offered !== null)
        return `its branch ${offered} waits for people to merge it; drover reject ${name} "…" sends the work back`;
      return `its work waits for you: drover review ${name}, then drover accept ${name} or drover reject ${name} "…"`;
    case 'needs_input':
      if (isAsked) return `its terminal: drover attach ${name}`;
      return `it waits for an answer: drover attach ${name}, or drover message ${name} "…"`;
    case 'error':
      return `Drover has given up: drover logs ${name} --pane shows its terminal, drover attach ${name} opens it`;
    case 'offline':
      return `it has no session: "drover up" opens one; "drover doctor" finds the problem if it does not`;
    case 'working':
    case 'rejected':
    case 'rebasing':
      return null;
    default:
      return status satisfies never;
  }
}

/**
 * Lists waiting work of the whole fleet, a line for each kind; empty if nothing waits.
 *
 * @param asked Names of workers whose question is shown beside it: they are not listed twice.
 */
export function waitingLines(
  workers: readonly WorkerView[],
  asked: ReadonlySet<string> = new Set(),
): readonly string[] {
  const kinds = [
    { status: 'needs_review', what: 'waits for a review', command: 'drover review' },
    { status: 'needs_input', what: 'waits for an answer', command: 'drover attach' },
    { status: 'error', what: 'needs help', command: 'drover why' },
  ] as const;
  return kinds.flatMap(({ status, what, command }) => {
    const names = workers
      .filter((worker) => worker.status === status && worker.accepting === null && worker.offered === null)
      .filter((worker) => status !== 'needs_review' || worker.run === null)
      .filter((worker) => status === 'needs_review' || !asked.has(worker.name))
      .map((worker) => refIn(workers, worker));
    const [first, ...others] = names;
    if (first === undefined) return [];
    const verb = others.length === 0 ? what : what.replace(/^(\w+)s\b/, '$1');
    return [`${names.join(', ')} ${verb}: ${command} ${first}`];
  });
}
