// Checks that an agent of a run is asked for the result that it left out, and gives it.
import type { Program } from '@drover/real-agents';
import type { Finding, Trial } from '../trial.ts';
import { until } from '../../fleet/wait.ts';

/** Words by which the hook of the turn's end, and Drover's own prompt, ask for a result. */
export const REFUSED = 'No result for this task';
export const PROMPTED = 'has no valid result';

/** Programs in whose records Drover reads no use. */
const TELLS_NO_USE: ReadonlySet<string> = new Set(['copilot', 'qwen', 'pi']);

const FLOW = `inputs = { goal = "text" }

[look]
ask = "SAY hello. {{goal}}"
returns = "report"
`;

/** An agent answers with words alone; asked for its result, it calls \`drover result\`, or writes its file where only SSH reaches. */
export async function givesResult(trial: Trial, { keys }: Program): Promise<Finding> {
  const { site, worker } = trial;
  const { fleet, model } = site;
  await trial.replaced();
  const before = model.exchanges.length;
  const id = await fleet.startRun('look', 'Say what you see.', FLOW);
  let asked = 0;
  const rules = await until(
    'the result',
    async () => {
      const fired = await trial.rules();
      if ((await fleet.worker(worker))?.screen === 'permission') {
        asked += 1;
        await trial.press(keys.allow, ({ screen }) => screen === 'permission');
      }
      return fired.includes('run:ended') || fired.includes('run:no-result') ? fired : undefined;
    },
    180_000,
  );
  // A request that brings the result of a tool brings the user's words again.
  const texts = model.exchanges.slice(before).flatMap(({ asked }) => (asked.results === 0 ? asked.texts : []));
  const { tokens } = (await fleet.run(id)).budget.spent;
  const count = (words: string): number => texts.filter((text) => text.includes(words)).length;
  return {
    believed: `${rules.includes('run:ended') ? 'a valid result' : 'no valid result'}, ${rules.filter((rule) => rule === 'run:asked-for-result').length} typed prompt(s), ${tokens ?? 'no'} tokens`,
    truth: `asked by its hook ${count(REFUSED)} time(s), by a typed prompt ${count(PROMPTED)} time(s); it gave it ${asked === 0 ? 'unasked' : 'with a permission'}`,
    ok:
      rules.includes('run:ended') &&
      count(REFUSED) + count(PROMPTED) === 1 &&
      (tokens === null) === TELLS_NO_USE.has(site.agent),
  };
}
