// Checks a run in which one program builds and another reviews: the result gate, a round of findings, and the yes of a person.
import type { RunView } from '@drover/api';
import type { Finding, Trial } from '../trial.ts';
import { until } from '../../fleet/wait.ts';
import { PROMPTED, REFUSED } from './runs.ts';

/** Milliseconds for a whole run: four turns, and as many that are asked for their result. */
const RUN_MS = 600_000;

/** The author forgets its result. So does the reviewer, who then judges by what the commit holds. */
const flowOf = (author: string, reviewer: string): string => `inputs = { goal = "text" }

[build]
profile = "${author}"
ask = "FREECOMMIT First half"

[review]
of = "build"
profile = "${reviewer}"
ask = "SAY that you have looked at it."

[merge]
accept = "build"
`;

/** Lines of the author's two commits: the second stands in the finding that asks for it. */
const WORK = 'First half\nSecond half';

/** @param reviewer Worker of another program. */
export async function reviewed(trial: Trial, reviewer: string): Promise<Finding> {
  const { fleet, model, source, agent } = trial.site;
  const other = (await fleet.worker(reviewer))?.profile ?? '';
  const before = model.exchanges.length;
  const text = flowOf(agent, other);
  const id = await fleet.startRun('pair', 'Write both halves.', text);
  const asked = await until(
    'the question whether the work may be merged',
    async () => {
      const run = await fleet.run(id);
      return run.questions.length > 0 || run.endedAt !== null ? run : undefined;
    },
    RUN_MS,
  );
  if (asked.questions[0]?.about === 'accept') await fleet.acceptRun(id);
  const run = await until(
    'the end of the run',
    async () => {
      const view = await fleet.run(id);
      return view.endedAt === null ? undefined : view;
    },
    RUN_MS,
  ).catch(() => asked);
  const texts = model.exchanges.slice(before).flatMap(({ asked }) => (asked.results === 0 ? asked.texts : []));
  const count = (words: string): number => texts.filter((one) => one.includes(words)).length;
  const work = await trial.site.git(source, 'show', 'main:work.txt').catch(() => 'nothing');
  return {
    believed: `${run.status} (${run.why}); ${stagesOf(run)}; ${run.budget.spent.tokens ?? 'no'} tokens`,
    truth: `asked for a result ${count(REFUSED)} time(s) by a hook, ${count(PROMPTED)} time(s) by a typed prompt; one finding, which the author mended; main has "${work.replaceAll('\n', ', ')}"`,
    ok: run.status === 'finished' && run.merged !== null && work === WORK && count(REFUSED) + count(PROMPTED) === 4,
  };
}

function stagesOf({ stages }: RunView): string {
  return stages
    .map(({ name, status, items: [item] }) => {
      if (item === undefined) return `${name} ${status}`;
      const failures = item.failures.map(({ problem }) => problem).join('; ');
      return `${name} ${status} by ${item.profile} at attempt ${item.attempt}${failures === '' ? '' : ` (${failures})`}`;
    })
    .join(', ');
}
