/** `drover project edit`: sets another source, branch or home, other checks, or other machines for them. */
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { list, required, text } from '../../program/spec.ts';
import { CHECKS_HELP, checksOf } from './checks.ts';
import { projectText } from './text.ts';

export const command = defineCommand({
  about: 'change a project that was added by "drover project add"',
  example: 'drover project edit shop --branch develop\ndrover project edit tools --home server',
  args: { name: required('its name, as "drover project" shows it') },
  options: {
    source: text('url|path', 'its repository; only while it has no workers'),
    branch: text('branch', 'where work starts and goes; only while it has no workers'),
    home: text('machine', 'which machine has the directory; "none" where the source is an address'),
    checks: text('where', `what work must pass: ${CHECKS_HELP}`),
    'validate-on': list(
      'machine,…',
      'the first of these that is connected runs the checks of merges; empty: where the work is',
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
      throw new CommandError('usage', 'Say what changes: --source, --branch, --home, --checks or --validate-on');
    const project = await ask(surroundings, (client) => client.projects.edit.mutate(input));
    answer(surroundings, project, projectText);
  },
});
