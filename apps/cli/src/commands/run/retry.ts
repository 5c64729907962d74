/** `drover run retry`: starts a new run that takes over what a former one passed. */
import { ask } from '../../client/client.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, text } from '../../program/spec.ts';
import { RUN_ID } from './one.ts';
import { flowOf } from './run.ts';
import { runRetryPlanText, runText } from './text.ts';

export const command = defineCommand({
  about: 'try a run again: stages that passed are taken over',
  example:
    'drover run retry 1a2b3c4d --dry-run\ndrover run retry 1a2b3c4d\ndrover run retry 1a2b3c4d --from review --with flows/repaired.toml',
  more: `A stage is taken over if its text, its inputs, the base and the profile are the
same as before. Every task that is done again has a new conversation. While
one try of a run is open, another one is refused.`,
  args: RUN_ID,
  options: {
    from: text('stage', 'the stage to begin with (default: the first that did not pass)'),
    with: text('file', 'a repaired flow'),
    skipFailedStage: flag('go on without the stage that failed'),
    resetAgents: flag('prefer other workers than those on which it failed'),
    keepMessages: flag('tell the new agents what the former ones said to each other'),
    dryRun: flag('print what would be taken over and begun, and start nothing'),
  },
  async run(surroundings, { args: { run: id }, options }) {
    const { from, with: file, skipFailedStage: skipFailed, resetAgents, keepMessages, dryRun } = options;
    const repaired = file === undefined ? undefined : (await flowOf(surroundings, file)).text;
    const wishes = { skipFailed, resetAgents, keepMessages, ...defined({ from, text: repaired }) };
    const input = { id, requestId: surroundings.uuid(), ...wishes };
    if (dryRun) {
      const plan = await ask(surroundings, (client) => client.runs.planRetry.mutate(input));
      answer(surroundings, plan, runRetryPlanText);
      return;
    }
    const run = await ask(surroundings, (client) => client.runs.retry.mutate(input));
    answer(surroundings, run, runText);
  },
});
