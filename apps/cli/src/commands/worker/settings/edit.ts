/** `drover worker edit`: changes settings of an existing worker. */
import { ask } from '../../../client/client.ts';
import { CommandError } from '../../../exit-codes.ts';
import { answer, defined } from '../../../program/answer.ts';
import { defineCommand } from '../../../program/define.ts';
import { list, required, text } from '../../../program/spec.ts';
import { settingsText } from './settings-text.ts';

/** Settings that may follow drover.toml again: the typed name, and the stored name. */
const FOLLOWS = { model: 'model', 'role-prompt': 'rolePrompt', role: 'role', pool: 'excludedFromPool' } as const;

export const command = defineCommand({
  about: 'change the settings of a worker: model, role prompt, role, or membership in the pool',
  example:
    'drover worker edit adam --model opus\ndrover worker edit adam --role reviewer --pool no\ndrover worker edit adam --follow model,pool',
  args: { name: required('its name, as "drover status" shows it') },
  options: {
    model: text('model', "the model, from its next start; none: the profile's own"),
    rolePrompt: text('text', 'a text that Drover adds to each of its prompts, from its next task'),
    role: text('role', 'its role, at once'),
    pool: text('yes|no', 'whether it takes tasks that do not name it, at once'),
    follow: list('setting,…', `settings that follow drover.toml again: ${Object.keys(FOLLOWS).join(', ')}`),
  },
  async run(surroundings, { args: { name }, options: { model, rolePrompt, role, pool, follow = [] } }) {
    const changes = {
      ...defined({ rolePrompt, role, excludedFromPool: pool === undefined ? undefined : isExcluded(pool) }),
      ...(model !== undefined && { model: model === 'none' ? null : model }),
    };
    const input = { name, ...changes, follow: follow.map(followed) };
    if (Object.keys(changes).length === 0 && follow.length === 0)
      throw new CommandError('usage', 'Nothing to change: give --model, --role-prompt, --role, --pool or --follow');
    const shown = await ask(surroundings, (client) => client.workers.edit.mutate(input));
    answer(surroundings, shown, settingsText);
  },
});

function isExcluded(given: string): boolean {
  if (given === 'yes' || given === 'no') return given === 'no';
  throw new CommandError('usage', `--pool takes yes or no, not "${given}"`);
}

function followed(given: string): (typeof FOLLOWS)[keyof typeof FOLLOWS] {
  const known = Object.entries(FOLLOWS).find(([name]) => name === given)?.[1];
  if (known !== undefined) return known;
  throw new CommandError('usage', `--follow takes ${Object.keys(FOLLOWS).join(', ')}; not "${given}"`);
}
