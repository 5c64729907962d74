// Checks that every prompt was taken exactly once or reported to a person, and that every commit exists. Pure.
import type { WitnessLine } from '../../fleet/witness.ts';

/** End of a task. `told`: a person was asked, and ended it. `refused`: it was never begun, and whoever gave it was told so. */
export interface Ended {
  readonly task: number;
  readonly kind: 'done' | 'told' | 'refused' | 'lost';
  readonly why: string;
}

export interface Counts {
  readonly done: number;
  readonly told: number;
  readonly refused: number;
  /** Tasks taken again with the note that the session was cut off. */
  readonly restored: number;
  readonly problems: readonly string[];
}

/** The words that stand in the prompt of one task only, and are the subject of its commit. */
export function wordsOf(task: number): string {
  return `soak task ${String(task).padStart(6, '0')}`;
}

/** Beginning of Drover's note before a task that is given again. Source: packages/core/src/policy/texts.ts. */
const NOTE = 'the session was cut off';

/** @param given Number of tasks that were given. @param subjects Those of all commits in the default branch. */
export function count(
  given: number,
  ended: readonly Ended[],
  { witness, subjects }: { readonly witness: readonly WitnessLine[]; readonly subjects: readonly string[] },
): Counts {
  const prompts = witness.flatMap(({ event, prompt }) => (event === 'taken' && prompt !== undefined ? [prompt] : []));
  const plain = tally(prompts.filter((text) => !text.includes(NOTE)));
  const noted = tally(prompts.filter((text) => text.includes(NOTE)));
  const merged = tally(subjects);
  const timesOf = (kind: Ended['kind']): number => ended.filter((one) => one.kind === kind).length;
  const problems = ended.flatMap(({ task, kind, why }) => {
    const words = wordsOf(task);
    const [taken, again, commits] = [plain, noted, merged].map((map) => map.get(words) ?? 0) as [
      number,
      number,
      number,
    ];
    return [
      ...(kind === 'lost' ? [`${words} was lost: ${why}`] : []),
      ...(kind === 'done' && taken + again === 0 ? [`${words} is done, and no agent ever took it`] : []),
      ...(kind === 'done' && commits === 0 ? [`${words} is done, and is not in the default branch`] : []),
      ...(taken > 1 ? [`${words} was taken ${taken} times`] : []),
      ...(commits > 1 ? [`${words} was merged ${commits} times`] : []),
    ];
  });
  if (given > ended.length) problems.push(`${given - ended.length} tasks have no end`);
  if (timesOf('done') === 0) problems.push('nothing was done at all');
  const restored = [...noted.values()].reduce((sum, times) => sum + times, 0);
  return { done: timesOf('done'), told: timesOf('told'), refused: timesOf('refused'), restored, problems };
}

function tally(texts: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const text of texts) {
    const [words] = /soak task \d{6}/u.exec(text) ?? [];
    if (words !== undefined) found.set(words, (found.get(words) ?? 0) + 1);
  }
  return found;
}
