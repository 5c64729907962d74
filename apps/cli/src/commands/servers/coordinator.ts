/** `drover coordinator`: one replica alone. Several may share one Postgres. */
import { systemIds } from '@drover/coordinator';
import { isLoopback } from '@drover/protocol/loopback';
import { composeCoordinator } from '../../compose/coordinator.ts';
import { openRedaction } from '../../compose/redaction.ts';
import { checkToken } from '../../compose/token.ts';
import { readSettings } from '../../compose/settings.ts';
import { untilSignalled } from '../../processes/until-signalled.ts';
import { CommandError } from '../../exit-codes.ts';
import { count, flag, text } from '../../program/options.ts';
import { handleStrays } from '../../processes/strays.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  _args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, environment } = surroundings;
  if (environment.token !== undefined) checkToken(environment.token);
  const port = count(options, 'port', { min: 0, max: 65_535 });
  const settings = await readSettings(surroundings, {
    'coordinator.port': port,
    'coordinator.host': text(options, 'host'),
  });
  const { coordinator: config } = settings.config;
  if (!isLoopback(config.host) && !flag(options, 'force')) {
    const message = `Listening on ${config.host} would send tokens in clear text: put TLS in front and listen on loopback, or repeat with --force`;
    throw new CommandError('usage', message);
  }
  const ending = untilSignalled();
  const token = environment.token ?? systemIds.secret();
  using redaction = await openRedaction(surroundings, settings, config.log_level);
  redaction.redactor.add(token);
  handleStrays({ log: redaction.log, ending });
  await using coordinator = await composeCoordinator(surroundings, settings, {
    token,
    tokenIsShared: environment.token !== undefined,
    host: config.host,
    port: config.port,
    patrol: options['patrol'] !== false,
    log: redaction.log,
    redactor: redaction.redactor,
    fatal: ending.fail,
    stop: null,
  });
  if (environment.token === undefined)
    terminal.err(`A token for people, for as long as this coordinator runs: DROVER_TOKEN=${token}`);
  const ready = { url: coordinator.url, pid: process.pid };
  terminal.out(terminal.json ? JSON.stringify(ready) : `The coordinator listens at ${coordinator.url}.`);
  await ending.asked;
}
