/** `drover project edit`: sets another source, branch or home, other checks, or other machines for them. */
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { list, required, text } from '../../program/spec.ts';
import { CHECKS_HELP, checksOf } from './checks.ts';
import { projectText } from './text.ts';

export const command = defineCommand({
  about: 'change a project that was added with "drover project add"',
  example: 'drover project edit shop --branch develop\ndrover project edit tools --home server',
  args: { name: required('its name, as "drover project" shows it') },
  options: {
    source: text('url|path', 'its repository; only while it has no workers'),
    branch: text('branch', 'the branch that work starts from and goes to; only while it has no workers'),
    home: text('machine', 'the machine that has the directory; "none" if the source is an address'),
    checks: text('where', `the checks that work must pass: ${CHECKS_HELP}`),
    'validate-on': list(
      'machine,…',
      'machines that run the checks of merges, first connected one first; empty: the machine of the work',
    ),
  },
  async run(surroundings, { args: { name }, options: { source, branch, home, checks, 'validate-on': validateOn } }) {
    const changes = defined({
      source,
      branch,
      validateOn,
      checks: checks === undefined ? undefined : checksOf(checks),
    });
    const input = { name, ...changes, ...(home !== undefined && { home: home === 'none' ? null : home }) };
    if (Object.keys(input).length === 1)
      throw new CommandError('usage', 'Nothing to change: give --source, --branch, --home, --checks or --validate-on');
    const project = await ask(surroundings, (client) => client.projects.edit.mutate(input));
    answer(surroundings, project, projectText);
  },
});
