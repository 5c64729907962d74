/** `drover debug policy show`: prints the values of the recovery policy in use, and the source of each. */
import { ask } from '../../../client/client.ts';
import { answer, defined } from '../../../program/answer.ts';
import { defineCommand } from '../../../program/define.ts';
import { text } from '../../../program/spec.ts';
import { policyText } from './text.ts';

export const command = defineCommand({
  about: 'show the values in use and the source of each',
  example: 'drover debug policy show\ndrover debug policy show --worker adam --json',
  options: { worker: text('name', 'the worker whose values are shown (default: those of the project)') },
  async run(surroundings, { options }) {
    const policy = await ask(surroundings, (client) => client.policy.show.query(defined(options)));
    answer(surroundings, policy, (values, { terminal }) => policyText(values, options.worker, terminal.columns));
  },
});
