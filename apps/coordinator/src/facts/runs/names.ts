/** Names runs and their questions. */
import type { EscalationRow, RunRow } from '@drover/store';

/** Characters of the end of an id, which are enough to name a run. */
const SHORT_ID = 8;

export function shortRunId(id: string): string {
  return id.slice(-SHORT_ID);
}

/** Name of a run for people, such as `run 1a2b3c4d`. */
export function runName({ id }: Pick<RunRow, 'id'>): string {
  return `run ${shortRunId(id)}`;
}

/** Key that one open question of a run has. */
export function questionKey(runId: string, question: string): string {
  return `run:${runId}:${question}`;
}

/** Returns the run and the question that an escalation asks for; null: a worker asks. */
export function runQuestionOf({
  dedupeKey,
}: Pick<EscalationRow, 'dedupeKey'>): { readonly runId: string; readonly question: string } | null {
  const [kind, runId, ...question] = dedupeKey.split(':');
  return kind === 'run' && runId !== undefined ? { runId, question: question.join(':') } : null;
}
