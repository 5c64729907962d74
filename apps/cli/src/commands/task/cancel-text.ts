/** Formats the result of `drover cancel`: the end of the task, the place of its work, and the agent's present action. */
import type { CancelView, WorkerView } from '@drover/api';
import type { Page } from '../../program/answer.ts';
import { ago, plain } from '../../terminal/style.ts';

/** Formats at most three lines. */
export function cancelText(
  { title, again, by, at, worker, checkpoint }: CancelView,
  { now }: Pick<Page, 'now'>,
): string {
  const what = title === '' ? 'the task' : `"${plain(title)}"`;
  const before = again ? ` was already cancelled ${by === null ? '' : `by ${plain(by)} `}${ago(now - at)}` : '';
  const of = worker === null ? '' : ` of ${worker.name}`;
  const head = again ? `${what}${of}${before}.` : `Cancelled ${what}${of}.`;
  if (worker === null) return `${head} It was in the work queue: no worker had started it.`;
  return [head, keptLine(worker, checkpoint), ...agentLines(worker)].join('\n');
}

function keptLine({ name, branch }: WorkerView, checkpoint: string | null): string {
  const saved = checkpoint === null ? '' : `; changed files are saved too ("drover worker checkpoint ${name}")`;
  return `Its commits are on the branch ${branch} until the next task of ${name}, which sets them aside${saved}.`;
}

function agentLines({ name, machine, machineState, stopping = false }: WorkerView): readonly string[] {
  if (!stopping) return [];
  if (machineState !== 'connected')
    return [`Its machine ${plain(machine)} is silent: Drover stops its agent when the machine reports again.`];
  return [`Its agent has not stopped yet: "drover why ${name}" explains the state.`];
}
