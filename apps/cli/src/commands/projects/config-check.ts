/** `drover config check`: what is wrong with drover.toml, or what holds. */
import { describeConfig, formatProblem, loadConfig } from '@drover/config';
import { CommandError } from '../../exit-codes.ts';
import { needRoot } from '../../surroundings.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(surroundings: Surroundings): Promise<void> {
  const { terminal, environment } = surroundings;
  const { root } = needRoot(surroundings);
  const outcome = await loadConfig({ root, environment });
  if (outcome.kind === 'invalid') {
    if (terminal.json) terminal.out(JSON.stringify({ ok: false, problems: outcome.problems }));
    throw new CommandError('problems', outcome.problems.map(formatProblem).join('\n'));
  }
  if (terminal.json) {
    terminal.out(JSON.stringify({ ok: true, config: outcome.config, warnings: outcome.warnings }, hidden));
    return;
  }
  for (const warning of outcome.warnings) terminal.err(`warning: ${warning}`);
  terminal.out(
    `${root}/drover.toml is good. Options: ${describeConfig().flatMap(({ options }) => options).length}, see docs/configuration.md.`,
  );
}

/** A password in the address of the database is nobody's to print. */
function hidden(key: string, value: unknown): unknown {
  return key === 'database_url' && typeof value === 'string' ? value.replace(/:[^:@/]*@/, ':***@') : value;
}
