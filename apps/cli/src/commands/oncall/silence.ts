/** `drover oncall silence`: holds calls about some questions back for a while. */
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { span, text } from '../../program/spec.ts';
import { silenceText } from './text.ts';

export const command = defineCommand({
  about: 'pause notifications for some questions; Drover still asks them',
  example:
    'drover oncall silence --machine laptop --for 2h --reason "new disk"\ndrover oncall silence --code RATE_LIMITED --for 8h --reason "known"',
  options: {
    project: text('name', 'questions of this project'),
    worker: text('name', 'questions of this worker'),
    machine: text('name', 'questions of workers on this machine'),
    code: text('code', 'questions about this error'),
    for: span('how long, up to 30d'),
    reason: text('text', 'the reason, for the others', { isRequired: true }),
  },
  async run(surroundings, { options: { project, worker, machine, code, for: forMs, reason } }) {
    if (forMs === undefined)
      throw new CommandError('usage', 'The duration is missing: give --for 30m, --for 2h, up to --for 30d');
    const input = { ...defined({ project, worker, machine, code }), forMs, reason };
    const silence = await ask(surroundings, (client) => client.oncall.silence.mutate(input));
    answer(surroundings, silence, silenceText);
  },
});
