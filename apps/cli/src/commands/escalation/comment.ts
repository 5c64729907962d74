/** `drover escalation comment`: adds a comment for other people who look at the question. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { rest, text } from '../../program/spec.ts';
import { readText } from '../../terminal/texts.ts';
import { ESCALATION_ID } from './id.ts';

export const command = defineCommand({
  about: 'write a comment for other people; the worker does not get it',
  example: 'drover escalation comment 3f9a1c2e "I asked the owner of that directory"',
  args: { ...ESCALATION_ID, text: rest('the text') },
  options: { file: text('file', 'a file with the text; "-" reads stdin') },
  async run(surroundings, { args, options: { file } }) {
    const comment = await readText({
      text: args.text.length === 0 ? undefined : args.text.join(' '),
      file,
      cwd: surroundings.cwd,
      what: 'comment',
      given: 'writing it after the id',
      option: '--file',
    });
    const input = { requestId: surroundings.uuid(), id: args.id, text: comment };
    const escalation = await ask(surroundings, (client) => client.escalations.comment.mutate(input));
    answer(
      surroundings,
      escalation,
      ({ shortId }) => `Comment added to ${shortId}. Everybody can see it: drover escalation show ${shortId}`,
    );
  },
});
