/** `drover coordinator`: one replica alone. Several may share one Postgres. */
import { systemIds } from '@drover/coordinator';
import { composeCoordinator } from '../compose/coordinator.ts';
import { createLog } from '../compose/log.ts';
import { readSettings } from '../compose/settings.ts';
import { untilSignalled } from '../until-signalled.ts';
import { CommandError } from '../exit-codes.ts';
import { count, flag, text } from '../options.ts';
import type { Surroundings } from '../surroundings.ts';

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  _args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, environment } = surroundings;
  const port = count(options, 'port', { min: 0, max: 65_535 });
  const settings = await readSettings(surroundings, {
    'coordinator.port': port,
    'coordinator.host': text(options, 'host'),
  });
  const { coordinator: config } = settings.config;
  if (!LOOPBACK.has(config.host) && !flag(options, 'force')) {
    const message = `Listening on ${config.host} would send tokens in clear text: put TLS in front and listen on loopback, or repeat with --force`;
    throw new CommandError('usage', message);
  }
  const ending = untilSignalled();
  const token = environment.token ?? systemIds.secret();
  await using coordinator = await composeCoordinator(surroundings, settings, {
    token,
    host: config.host,
    port: config.port,
    patrol: options['patrol'] !== false,
    log: createLog(surroundings, config.log_level),
    fatal: ending.fail,
    stop: null,
  });
  if (environment.token === undefined)
    terminal.err(`A token for people, replacing the last one: DROVER_TOKEN=${token}`);
  const ready = { url: coordinator.url, pid: process.pid };
  terminal.out(terminal.json ? JSON.stringify(ready) : `The coordinator listens at ${coordinator.url}.`);
  await ending.asked;
}
