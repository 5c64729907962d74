/** `drover user link`: makes a code that a person sends to the bot; so the bot knows the person, whatever their name is there. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { CommandError } from '../../exit-codes.ts';
import { defineCommand } from '../../program/define.ts';
import { optional } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'print a code that links a chat to a person: valid for 10 minutes and one use',
  example: 'drover user link\ndrover user link ada',
  args: { name: optional('the person; an unknown name is added as an operator (default: your user name)') },
  async run(surroundings, { args: { name } }) {
    const { USER, LOGNAME } = surroundings.environment.variables;
    const person = name ?? USER ?? LOGNAME;
    if (person === undefined)
      throw new CommandError(
        'usage',
        'Drover cannot find your user name on this computer: give it with "drover user link NAME"',
      );
    const linked = await ask(surroundings, (client) => client.people.link.mutate({ name: person }));
    answer(
      surroundings,
      linked,
      ({ person: { name: who, role }, code }) =>
        `Send this to the bot in a private chat within 10 minutes:\n\n  /link ${code}\n\nThe chat then belongs to ${who} (${role}).`,
    );
  },
});
