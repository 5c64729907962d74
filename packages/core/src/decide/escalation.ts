/** What is a person asked, and when? (docs/recovery.md, the four levels: level 4) */
import type { Question, QuestionOption } from '../worker/incident.ts';
import { record, set } from './decision.ts';
import type { Step } from './decision.ts';

/** What a person can answer when the budget is spent. */
export const LEVEL_4_OPTIONS: readonly QuestionOption[] = [
  { id: 'retry', label: 'Try again, with a fresh budget', needsText: false },
  { id: 'retry-with-changes', label: 'Go on with other words', needsText: true },
  { id: 'skip', label: 'End the task; its uncommitted work is saved', needsText: false },
  { id: 'take-over', label: 'I take over by hand', needsText: false },
];

/** Level 4: a person is asked, once for each incident. */
export function escalated(step: Step, why: string, question: Question = levelFour(why)): Step {
  const { incident } = step.worker;
  if (incident === null) return step;
  const asked = set(step, { incident: { ...incident, level: 4, escalated: true, options: question.options } });
  return record(asked, { kind: 'escalated', incident: incident.id, code: incident.code, why, question });
}

function levelFour(why: string): Question {
  return { kind: 'choice', title: why, body: '', options: LEVEL_4_OPTIONS };
}
