/** `drover user add`: adds a person who may answer or give work from a chat. */
import { ask } from '../../client/client.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { choice, required, text } from '../../program/spec.ts';

const ROLES = ['responder', 'viewer', 'operator', 'admin'] as const;

export const command = defineCommand({
  about: 'add a person with a role; "drover user link" then links their chat',
  example: 'drover user add ada --role responder --project shop',
  args: { name: required('whom') },
  options: {
    role: choice('role', 'their role', ROLES),
    project: text('name', 'the only project that they may access (default: all)'),
  },
  async run(surroundings, { args: { name }, options: { role, project } }) {
    const input = { name, role, ...defined({ project }) };
    const added = await ask(surroundings, (client) => client.people.add.mutate(input));
    answer(surroundings, added, (one) => `Added ${one.name} as ${one.role}. Next: drover user link ${one.name}`);
  },
});
