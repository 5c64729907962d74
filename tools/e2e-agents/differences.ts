// Measures for how long a belief was wrong: compares Drover's belief about a worker's screen with what the model's service knows.
import type { WhyView, WorkerView } from '@drover/api';
import type { Exchange } from '@drover/real-agents';

/** Text of a difference when Drover believes in work that the model knows nothing of. */
export const SILENT = 'the model had answered and Drover believed "processing"';

/** Describes the way in which both sides differ now; empty when they agree, or when one cannot know. */
export function differenceOf(
  view: Pick<WorkerView, 'screen'> | undefined,
  last: Pick<Exchange, 'action' | 'ended'> | undefined,
): string {
  if (view === undefined || last === undefined || view.screen === null) return '';
  const speaks = last.ended === 'no' && last.action === 'say';
  if (speaks && view.screen === 'ready') return 'the model spoke and Drover believed "ready"';
  if (speaks && (view.screen === 'permission' || view.screen === 'question'))
    return `the model spoke and Drover believed "${view.screen}"`;
  const silent = last.ended !== 'no' && last.action === 'say';
  if (silent && view.screen === 'processing') return SILENT;
  return '';
}

/** A time in which both sides differed all along, in epoch milliseconds; `asked` counts the exchanges at its beginning. */
export type Stretch = {
  readonly difference: string;
  readonly from: number;
  readonly to: number;
  readonly asked: number;
};

/** Exchanges that the model's service knows, and the worker's receipts. All come from one machine, so from one clock. */
export type Facts = {
  readonly exchanges: readonly Pick<Exchange, 'at' | 'endedAt'>[];
  readonly receipts: readonly Pick<WhyView['receipts'][number], 'outcome' | 'steps'>[];
};

/**
 * Counts the milliseconds of a stretch in which Drover was wrong.
 *
 * On a loaded machine a program that has taken a text may be at work for long before it asks its model. So of the time up to a question only that
 * part is no wrong belief which comes after Enter of a text that was typed since the question before, and was taken: it is what the program then
 * asked about. All else counts: the time before that Enter, the time up to a question that no text led to, and the time after the last answer.
 */
export function wrongMs({ difference, from, to, asked }: Stretch, { exchanges, receipts }: Facts): number {
  if (difference !== SILENT) return to - from;
  const texts = receipts.flatMap((receipt) => submissionOf(receipt) ?? []);
  let [wrong, since] = [0, from];
  for (const [index, question] of exchanges.entries()) {
    if (index < asked || question.at > to) continue;
    const before = exchanges[index - 1]?.at ?? Number.NEGATIVE_INFINITY;
    const mine = texts.filter(({ typedAt, enteredAt }) => typedAt > before && enteredAt <= question.at);
    const atWork = Math.min(question.at, ...mine.map(({ enteredAt }) => enteredAt));
    wrong += Math.max(0, atWork - since);
    // The belief is right while the model speaks; if the model still speaks at the end, both sides had agreed by then.
    since = Math.max(since, question.endedAt ?? to);
  }
  return wrong + Math.max(0, to - since);
}

/** Returns the times at which a text that was taken stood typed, and at which Enter was pressed for the last time. */
function submissionOf({
  outcome,
  steps,
}: Facts['receipts'][number]): { readonly typedAt: number; readonly enteredAt: number } | undefined {
  if (outcome !== 'delivered' && outcome !== 'queued') return undefined;
  const typedAt = steps.find(({ step }) => step === 'typed')?.at;
  const enteredAt = steps.findLast(({ step }) => step === 'entered')?.at;
  return typedAt === undefined || enteredAt === undefined ? undefined : { typedAt, enteredAt };
}
