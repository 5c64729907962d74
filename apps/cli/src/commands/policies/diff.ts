/** `drover policy diff`: in which values two policies differ. */
import { ask } from '../../client/client.ts';
import { table } from '../../terminal/style.ts';
import { policySideOf } from './side.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(surroundings: Surroundings, [one, other]: readonly string[]): Promise<void> {
  const { terminal } = surroundings;
  // What was changed here; or what a file would change here.
  const [left, right] =
    one === undefined ? ['default', 'current'] : other === undefined ? ['current', one] : [one, other];
  const input = { before: await policySideOf(surroundings, left), after: await policySideOf(surroundings, right) };
  const { before, after, differences } = await ask(surroundings, (client) => client.policy.diff.query(input));
  if (terminal.json) {
    terminal.out(JSON.stringify({ before, after, differences }));
    return;
  }
  terminal.err(`From ${left} (${before}) to ${right} (${after}):`);
  if (differences.length === 0) terminal.err('Nothing differs.');
  else
    terminal.out(
      table(
        differences.map((line) => [line.key, shown(line.before), '→', shown(line.after)]),
        terminal.columns,
      ),
    );
}

function shown(value: string | number | boolean | null): string {
  return value === null ? 'none' : String(value);
}
