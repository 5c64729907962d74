/** `drover project remove`: a project without workers is listed no more. */
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, required } from '../../program/spec.ts';
import { confirm } from '../../terminal/confirm.ts';
import type { Surroundings } from '../../surroundings.ts';
import { plain } from '../../terminal/style.ts';

/** `drover project remove`: `refused` where it has workers, or work in its queue. */
export const command = defineCommand({
  about: 'remove a project that has no workers; its history and its repositories stay',
  example: 'drover project remove shop\ndrover project remove shop --yes',
  args: { name: required('its name, as "drover project" shows it') },
  options: { yes: flag('do not ask') },
  async run(surroundings, { args, options: { yes } }) {
    const { terminal } = surroundings;
    const shown = plain(args.name);
    if (!yes) await needProject(surroundings, args.name);
    await confirm(`Drover removes the project "${shown}".`, { yes, terminal });
    const project = await ask(surroundings, (client) => client.projects.remove.mutate(args));
    if (terminal.json) return terminal.out(JSON.stringify(project));
    terminal.out(`The project "${shown}" is removed. Checkouts of it stay where they are.`);
    if (project.root !== null) terminal.err(`"drover up" in ${plain(project.root)} would add it again.`);
  },
});

/** Nobody is asked about what cannot be. */
async function needProject(surroundings: Surroundings, name: string): Promise<void> {
  const projects = await ask(surroundings, (client) => client.projects.list.query());
  const found = projects.find((project) => project.name === name);
  const shown = plain(name);
  if (found === undefined)
    throw new CommandError('not-found', `There is no project "${shown}": "drover project" shows them`);
  if (found.workers > 0)
    throw new CommandError(
      'refused',
      `"${shown}" has ${found.workers} worker(s): remove them with "drover nuke NAME" first`,
    );
}
