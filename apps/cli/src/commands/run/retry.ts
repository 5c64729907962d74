/** `drover run retry`: starts a new run that takes over what a former one passed. */
import { ask } from '../../client/client.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, text } from '../../program/spec.ts';
import { RUN_ID } from './one.ts';
import { flowOf } from './run.ts';
import { runText } from './text.ts';

export const command = defineCommand({
  about: 'try a run again: stages that passed are taken over',
  example: 'drover run retry 1a2b3c4d\ndrover run retry 1a2b3c4d --from review --with flows/repaired.toml',
  args: RUN_ID,
  options: {
    from: text('stage', 'the stage to begin with (default: the first that did not pass)'),
    with: text('file', 'a repaired flow'),
    skipFailedStage: flag('go on without the stage that failed'),
  },
  async run(surroundings, { args: { run: id }, options: { from, with: file, skipFailedStage: skipFailed } }) {
    const repaired = file === undefined ? undefined : (await flowOf(surroundings, file)).text;
    const input = { id, requestId: surroundings.uuid(), skipFailed, ...defined({ from, text: repaired }) };
    const run = await ask(surroundings, (client) => client.runs.retry.mutate(input));
    answer(surroundings, run, runText);
  },
});
