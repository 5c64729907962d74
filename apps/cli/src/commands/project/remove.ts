/** `drover project remove`: removes a project without workers. */
import { ask } from '../../client/client.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, required } from '../../program/spec.ts';
import { confirm } from '../../terminal/confirm.ts';
import { plain } from '../../terminal/style.ts';

/** Exits with `refused` if the project has workers, or work in its queue. */
export const command = defineCommand({
  about: 'remove a project that has no workers; its history and its repositories stay',
  example: 'drover project remove shop\ndrover project remove shop --yes',
  args: { name: required('its name, as "drover project" shows it') },
  options: { yes: flag('do not ask') },
  async run(surroundings, { args, options: { yes } }) {
    const { terminal } = surroundings;
    const shown = plain(args.name);
    // Refuses a misspelt name before the question.
    if (!yes) await ask(surroundings, (client) => client.projects.show.query(args));
    await confirm(`Drover removes the project "${shown}".`, { yes, terminal });
    const project = await ask(surroundings, (client) => client.projects.remove.mutate(args));
    if (terminal.json) return terminal.out(JSON.stringify(project));
    terminal.out(`The project "${shown}" is removed. Checkouts of it stay where they are.`);
    if (project.root !== null) terminal.err(`"drover up" in ${plain(project.root)} would add it again.`);
  },
});
