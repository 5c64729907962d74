/** Finds the option of a question that is its default answer. */
import type { Question } from '../worker/incident.ts';
import type { DefaultAnswer } from './policy.ts';

/** Words of an option that only say no; a suffix in brackets, such as a key, is left out. */
const PLAIN_NO = /^(?:no|deny|reject|decline|don['’]t allow)[.!]?$/iu;

/**
 * Returns the option to choose; null: the question has none, so it waits for a person. The option never lets something happen, and is never
 * one of two.
 */
export function defaultOption(
  { options }: Pick<Question, 'options'>,
  answer: Exclude<DefaultAnswer, 'wait'>,
): string | null {
  const plain = options.filter(({ needsText }) => !needsText);
  const fit =
    answer === 'skip'
      ? plain.filter(({ id }) => id === 'skip')
      : plain.filter(({ label }) => PLAIN_NO.test(label.replace(/(?<!\s)\s*[([][^()[\]]*[)\]]\s*$/u, '').trim()));
  const [only] = fit;
  return fit.length === 1 && only !== undefined ? only.id : null;
}
