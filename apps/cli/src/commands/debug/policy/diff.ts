/** `drover debug policy diff`: prints the values in which two policies differ. */
import { ask } from '../../../client/client.ts';
import { defineCommand } from '../../../program/define.ts';
import { optional } from '../../../program/spec.ts';
import { table } from '../../../terminal/style.ts';
import { policySideOf } from './side.ts';

export const command = defineCommand({
  about: 'show the differences between two policies',
  example:
    'drover debug policy diff\ndrover debug policy diff patient.toml\ndrover debug policy diff 3f0c12aa90de current',
  args: {
    one: optional('a file, a version, "default" or "current" (default: the values changed here)'),
    other: optional('the policy to compare with (default: the one in use)'),
  },
  async run(surroundings, { args: { one, other } }) {
    const { terminal } = surroundings;
    // Without arguments: the changes of this project. With one: the changes of that file here.
    const [left, right] =
      one === undefined ? ['default', 'current'] : other === undefined ? ['current', one] : [one, other];
    const input = { before: await policySideOf(surroundings, left), after: await policySideOf(surroundings, right) };
    const { before, after, differences } = await ask(surroundings, (client) => client.policy.diff.query(input));
    if (terminal.json) {
      terminal.out(JSON.stringify({ before, after, differences }));
      return;
    }
    terminal.err(`From ${left} (${before}) to ${right} (${after}):`);
    if (differences.length === 0) terminal.err('The policies are the same.');
    else
      terminal.out(
        table(
          differences.map((line) => [line.key, valueText(line.before), '→', valueText(line.after)]),
          terminal.columns,
        ),
      );
  },
});

function valueText(value: string | number | boolean | null): string {
  return value === null ? 'none' : String(value);
}
