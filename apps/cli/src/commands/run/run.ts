/** `drover run FLOW "goal"`: starts a run; `drover run` and `drover run list` list runs. */
import path from 'node:path';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { count, flag, optional, text, texts } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { openProgress } from '../../terminal/progress.ts';
import { readText } from '../../terminal/texts.ts';
import { runPlanText, runsText, runText } from './text.ts';

export const command = defineCommand({
  about: 'run a goal through stages: build, check, review, accept',
  example:
    'drover run change "Add a --version flag"\ndrover run split "Move to ESM" --workers 4\ndrover run study "Why is CI slow?" --times 3\ndrover run flows/own.toml --set goal="Add a flag" --dry-run',
  more: `FLOW is change, split, study ("drover flow" lists them), or a file of your own
that ends with ".toml". Without a flow, the runs are listed.`,
  args: { flow: optional('the flow, or the file of one'), goal: optional('the goal') },
  options: {
    set: texts('name=value', 'an input of the flow; may be given several times'),
    workers: count('number', 'workers at the same time', { min: 1, max: 50 }),
    times: count('number', 'agents that each do the same', { min: 1, max: 20 }),
    project: text('name', 'the project, if there are several'),
    dryRun: flag('print stages, places and budget, and start nothing'),
    id: text('uuid', 'the id of the run: the same twice starts one'),
    all: flag('also runs that have ended, in the list'),
    limit: count('count', 'how many runs, in the list', { min: 1, max: 500, default: 50, short: 'n' }),
  },
  async run(surroundings, { args: { flow, goal }, options }) {
    const { all, limit, set, workers, times, project, dryRun, id } = options;
    if (flow === undefined) {
      const runs = await ask(surroundings, (client) => client.runs.list.query({ all, limit }));
      answer(surroundings, runs, runsText);
      return;
    }
    const input = {
      requestId: id ?? surroundings.uuid(),
      inputs: inputsOf(set, goal),
      ...(await flowOf(surroundings, flow)),
      ...defined({ workers, times, project }),
    };
    if (dryRun) {
      const plan = await ask(surroundings, (client) => client.runs.plan.mutate(input));
      answer(surroundings, plan, runPlanText);
      return;
    }
    using _ = openProgress(surroundings, () => `Starting the run of ${flow}`);
    const run = await ask(surroundings, (client) => client.runs.start.mutate(input));
    answer(surroundings, run, runText);
  },
});

/** Reads a flow of one's own from its file; any other word names a flow. */
export async function flowOf(
  { cwd }: Pick<Surroundings, 'cwd'>,
  flow: string,
): Promise<{ readonly flow: string; readonly text?: string }> {
  if (!flow.endsWith('.toml')) return { flow };
  const content = await readText({ text: undefined, file: flow, cwd, what: 'flow', given: '', option: 'FILE' });
  const name = path
    .basename(flow, '.toml')
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/gu, '-');
  return { flow: name, text: content };
}

function inputsOf(set: readonly string[], goal: string | undefined): Record<string, string> {
  const inputs: Record<string, string> = goal === undefined ? {} : { goal };
  for (const pair of set) {
    const at = pair.indexOf('=');
    if (at < 1) throw new CommandError('usage', `--set takes name=value, such as goal="Add a flag", not "${pair}"`);
    const name = pair.slice(0, at);
    if (Object.hasOwn(inputs, name)) throw new CommandError('usage', `The input "${name}" is given twice`);
    inputs[name] = pair.slice(at + 1);
  }
  return inputs;
}
