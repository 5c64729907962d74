// Prints the results of a trial, in a terminal and in docs/proof/agents.md.
import { z } from 'zod';
import type { AgentName, Release, Tried } from '@drover/real-agents';

const stepSchema = z.object({ step: z.string(), believed: z.string(), truth: z.string(), ok: z.boolean() });

/** Document that a trial prints at its end. */
export const trialSchema = z.object({
  results: z.array(stepSchema),
  /** Requests that the model's service has no answer for. */
  strangers: z.array(z.string()),
});

/** Trial and the circumstances under which it ran. */
export type Measured = {
  readonly agent: AgentName;
  /** Tells whether the program ran on a host that only ssh reaches. */
  readonly isOverSsh: boolean;
  /** Program that reviews what this one builds; null: it is tried alone. */
  readonly reviewer: Tried | null;
  readonly release: Release;
  readonly results: z.output<typeof trialSchema>['results'];
  /** The day, such as `2026-11-21`. */
  readonly day: string;
  /** tmux, network and user, in words. */
  readonly circumstances: string;
};

export function summary({ results, ...measured }: Measured): string {
  const wrong = results.filter(({ ok }) => !ok).length;
  return `${titleOf(measured)}: ${results.length - wrong} steps right, ${wrong} wrong`;
}

function titleOf({ release, reviewer, isOverSsh }: Omit<Measured, 'results'>): string {
  const by = reviewer === null ? '' : `, reviewed by ${reviewer.release.name} ${reviewer.release.version}`;
  return `${release.name} ${release.version}${isOverSsh ? ' over SSH' : ''}${by}`;
}

/** The trial as a section of the page. */
export function section(measured: Measured): string {
  const { results, day, circumstances } = measured;
  const rows = joinTexts(results).map(
    ({ step, believed, truth, ok }) =>
      `| ${cell(step)} | ${cell(believed)} | ${cell(truth)} | ${ok ? 'right' : '**wrong**'} |`,
  );
  return [
    `### ${titleOf(measured)}`,
    `Measured on ${day}; ${circumstances}.`,
    ['| step | what Drover believed | what is true | belief |', '|---|---|---|---|', ...rows].join('\n'),
  ].join('\n\n');
}

/** Joins the texts that arrived in the same way into one row. */
function joinTexts(results: Measured['results']): Measured['results'] {
  const groups = Object.values(
    Object.groupBy(results, ({ step, truth, ok }, index) =>
      step.startsWith(TEXT) ? `${TEXT}${truth} ${ok}` : `step ${index}`,
    ),
  );
  return groups.flatMap((group = []) =>
    group.slice(0, 1).map(({ truth, ok }) => ({
      step: group.map(({ step }, index) => (index === 0 ? step : step.slice(TEXT.length))).join('; '),
      believed: [...new Set(group.map(({ believed }) => believed))].join(' / '),
      truth,
      ok,
    })),
  );
}

const TEXT = 'text: ';

/** Replaces the program's section in the page. @throws when the page has no place for it. */
export function written(page: string, measured: Measured): string {
  const { agent, reviewer, isOverSsh } = measured;
  const what = `${agent}${isOverSsh ? '-over-ssh' : ''}${reviewer === null ? '' : `-reviewed-by-${reviewer.agent}`}`;
  const [begin, end] = [`<!-- measured: ${what} -->`, `<!-- end: ${what} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/proof/agents.md has no lines "${begin}" and "${end}"`);
  return `${page.slice(0, from)}${begin}\n\n${section(measured)}\n\n${page.slice(to)}`;
}

/** Belief of a step that the program makes impossible. */
export const LEFT_OUT = '–';

/** Adds the trial of another version to the table of versions, or replaces its row. @throws when the page has no such table. */
export function withVersion(page: string, { release, results, day }: Measured): string {
  const [begin, end] = ['<!-- versions -->', '<!-- end: versions -->'];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/agents.md has no lines "${begin}" and "${end}"`);
  const [head, rule, ...rows] = page
    .slice(from + begin.length, to)
    .trim()
    .split('\n');
  const done = results.filter(({ believed }) => believed !== LEFT_OUT);
  const steps = joinTexts(done).map(({ step, ok }) => (ok ? step : `**${step}: wrong**`));
  const row = `| ${release.name} | ${release.version} | ${steps.map(cell).join(', ')} | ${day} |`;
  const isOther = (one: string): boolean =>
    !(one.includes(`| ${release.name} `) && one.includes(`| ${release.version} `));
  const table = [head, rule, ...[...rows.filter(isOther), row].toSorted()].join('\n');
  return `${page.slice(0, from)}${begin}\n\n${table}\n\n${page.slice(to)}`;
}

/** Words that may hold anything, in one cell of a table. */
function cell(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;').trim();
}
