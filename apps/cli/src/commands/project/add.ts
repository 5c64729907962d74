/** `drover project add`: adds a project beside that of the coordinator's own drover.toml. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required, text } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { CHECKS_HELP, checksOf } from './checks.ts';
import { projectText } from './text.ts';

export const command = defineCommand({
  about: 'add a project: each machine makes its own checkout when a worker needs it',
  example:
    'drover project add shop --source git@example.com:team/shop.git\ndrover project add tools --source /srv/tools --home laptop --branch main',
  args: { name: required('its name: a line without "/"') },
  options: {
    source: text('url|path', 'its repository: an address, or a directory of the machine --home', { isRequired: true }),
    branch: text('branch', 'the branch that work starts from and goes to (default: the one of the address)'),
    home: text('machine', 'the machine that has the directory'),
    checks: text('where', `the checks that work must pass: ${CHECKS_HELP}`, { default: 'none' }),
  },
  async run(surroundings, { args: { name }, options }) {
    const { source, home = null } = options;
    const checks = checksOf(options.checks);
    const branch = options.branch ?? (await branchNamedBy(surroundings, source));
    const input = { name, source, branch, home, checks };
    const project = await ask(surroundings, (client) => client.projects.add.mutate(input));
    answer(surroundings, project, projectText);
  },
});

/** Finds the branch of a source. Loaded by need: only this asks git. */
async function branchNamedBy(surroundings: Surroundings, source: string): Promise<string> {
  const { branchOf } = await import('../../compose/branch.ts');
  return branchOf(surroundings, source, 'name it by --branch');
}
