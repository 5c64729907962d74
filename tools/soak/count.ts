// Checks that every prompt was taken exactly once or reported to a person, and that every commit exists. Pure.
import { z } from 'zod';

/**
 * A line of the ledger: a task that was given, or how one ended. `told`: a person was asked, and ended it (`ending`: that is
 * about to be done). `refused`: it was never begun, and the soak was told so.
 */
export const ledgerLine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('given'),
    task: z.number(),
    worker: z.string(),
    requestId: z.string(),
    workMs: z.number(),
  }),
  z.object({ kind: z.literal('done'), task: z.number(), tookMs: z.number() }),
  z.object({ kind: z.literal('ending'), task: z.number(), why: z.string() }),
  z.object({ kind: z.literal('told'), task: z.number(), why: z.string() }),
  z.object({ kind: z.literal('refused'), task: z.number(), why: z.string() }),
  z.object({ kind: z.literal('lost'), task: z.number(), why: z.string() }),
]);
/** A line of the ledger. */
export type LedgerLine = z.infer<typeof ledgerLine>;
/** A task that was given. */
export type Given = Extract<LedgerLine, { kind: 'given' }>;

/** A line of the agents' own log, as far as it is counted. */
export const witnessLine = z.object({ event: z.string(), prompt: z.string().optional() });
/** A line of the agents' own log, as far as it is counted. */
export type Witnessed = z.infer<typeof witnessLine>;

export interface Counts {
  readonly given: number;
  readonly done: number;
  readonly told: number;
  readonly refused: number;
  /** Tasks neither done nor told in time, or done without ever having been taken. */
  readonly lost: readonly string[];
  /** Tasks taken twice without the note that the session was cut off, or merged twice. */
  readonly doubled: readonly string[];
  /** Done, and not in the default branch. */
  readonly unmerged: readonly string[];
  /** Tasks taken again with the note that the session was cut off. */
  readonly restored: number;
}

/** The words that stand in the prompt of one task only, and are the subject of its commit. */
export function wordsOf(task: number): string {
  return `soak task ${String(task).padStart(6, '0')}`;
}

/** The tasks that have no end yet, each with whether it was about to be ended by a person. */
export function openTasks(ledger: readonly LedgerLine[]): readonly (Given & { readonly ending: string | null })[] {
  const ended = new Set(ledger.filter(({ kind }) => kind !== 'given' && kind !== 'ending').map(({ task }) => task));
  const endings = new Map(ledger.flatMap((line) => (line.kind === 'ending' ? [[line.task, line.why]] : [])));
  return ledger.flatMap((line) =>
    line.kind === 'given' && !ended.has(line.task) ? [{ ...line, ending: endings.get(line.task) ?? null }] : [],
  );
}

/** Beginning of Drover's note before a task that is given again. Source: packages/core/src/policy/texts.ts. */
const NOTE = 'the session was cut off';

/** Counts. @param subjects Those of all commits in the default branch. */
export function count(
  ledger: readonly LedgerLine[],
  witness: readonly Witnessed[],
  subjects: readonly string[],
): Counts {
  const of = (kind: LedgerLine['kind']): readonly number[] =>
    ledger.filter((line) => line.kind === kind).map(({ task }) => task);
  const prompts = witness.flatMap(({ event, prompt }) => (event === 'taken' && prompt !== undefined ? [prompt] : []));
  const [plain, noted] = [
    tally(prompts.filter((text) => !text.includes(NOTE))),
    tally(prompts.filter((text) => text.includes(NOTE))),
  ];
  const merged = tally(subjects);
  const times = (map: ReadonlyMap<string, number>, task: number): number => map.get(wordsOf(task)) ?? 0;
  const done = of('done');
  const untaken = done.filter((task) => times(plain, task) + times(noted, task) === 0);
  return {
    given: of('given').length,
    done: done.length,
    told: of('told').length,
    refused: of('refused').length,
    lost: [...of('lost'), ...untaken].map(wordsOf),
    doubled: of('given')
      .filter((task) => times(plain, task) > 1 || times(merged, task) > 1)
      .map(wordsOf),
    unmerged: done.filter((task) => times(merged, task) === 0).map(wordsOf),
    restored: [...noted.values()].reduce((sum, each) => sum + each, 0),
  };
}

function tally(texts: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const text of texts) {
    const [words] = /soak task \d{6}/u.exec(text) ?? [];
    if (words !== undefined) found.set(words, (found.get(words) ?? 0) + 1);
  }
  return found;
}
