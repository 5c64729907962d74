/** `drover project check`: finds errors in drover.toml, or prints the values in use. */
import { CommandError } from '../../exit-codes.ts';
import { defineCommand } from '../../program/define.ts';
import { needRoot } from '../../surroundings.ts';

/** Exits with `problems` if there are any. */
export const command = defineCommand({
  about: 'check drover.toml; with --json, print the values in use',
  example: 'drover project check\ndrover project check --json | jq .config.defaults',
  async run(surroundings) {
    const { describeConfig, formatProblem, loadConfig } = await import('@drover/config');
    const { terminal, environment } = surroundings;
    const { root } = needRoot(surroundings);
    const outcome = await loadConfig({ root, environment });
    if (outcome.kind === 'invalid') {
      if (terminal.json) terminal.out(JSON.stringify({ ok: false, problems: outcome.problems }));
      throw new CommandError('problems', outcome.problems.map(formatProblem).join('\n'));
    }
    if (terminal.json) {
      terminal.out(JSON.stringify({ ok: true, config: outcome.config, warnings: outcome.warnings }, hidePassword));
      return;
    }
    for (const warning of outcome.warnings) terminal.err(`warning: ${warning}`);
    terminal.out(
      `${root}/drover.toml is valid. Options: ${describeConfig().flatMap(({ options }) => options).length}, see docs/configuration.md.`,
    );
  },
});

/** Hides the password that the address of a database may hold. */
function hidePassword(key: string, value: unknown): unknown {
  const isAddress = key === 'database_url' || key === 'database_direct_url';
  return isAddress && typeof value === 'string' ? value.replace(/:[^:@/]*@/, ':***@') : value;
}
