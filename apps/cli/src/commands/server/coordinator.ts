/** `drover server coordinator`: runs one replica alone. Several may share one Postgres. */
import { isLoopback } from '@drover/protocol/loopback';
import { CommandError } from '../../exit-codes.ts';
import { handleStrays } from '../../processes/strays.ts';
import { untilSignalled } from '../../processes/until-signalled.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { count, enabled, flag, text } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'run only a coordinator: a replica, with DATABASE_URL',
  example: 'DATABASE_URL=postgres://me@db/drover drover server coordinator --port 4680',
  isServer: true,
  options: {
    patrol: enabled('leave the patrol to other replicas'),
    token: enabled('make no token: people have their own, for example from "drover server migrate --admin"'),
    port: count('port', 'port to listen on', { min: 0, max: 65_535 }),
    host: text('address', 'address to listen on'),
    force: flag('listen beyond loopback without TLS'),
  },
  async run(surroundings, { options: { patrol, token: wantsToken, port, host, force } }) {
    const { systemIds } = await import('@drover/coordinator');
    const { composeCoordinator } = await import('../../compose/coordinator.ts');
    const { openRedaction } = await import('../../compose/redaction.ts');
    const { readOwnSettings } = await import('../../compose/settings.ts');
    const { checkToken } = await import('../../compose/token.ts');
    const { terminal, environment } = surroundings;
    if (environment.token !== undefined) checkToken(environment.token);
    const settings = await readOwnSettings(surroundings, { 'coordinator.port': port, 'coordinator.host': host });
    const { coordinator: config } = settings.config;
    if (!isLoopback(config.host) && !force) {
      const message = `Listening on ${config.host} would send tokens in clear text: put TLS in front and listen on loopback, or repeat with --force`;
      throw new CommandError('usage', message);
    }
    const ending = untilSignalled();
    const token = wantsToken ? (environment.token ?? systemIds.secret()) : null;
    using redaction = await openRedaction(surroundings, settings, { level: config.log_level, file: 'coordinator' });
    if (token !== null) redaction.redactor.add(token);
    handleStrays({ log: redaction.log, ending });
    await using coordinator = await composeCoordinator(surroundings, settings, {
      token,
      tokenIsShared: environment.token !== undefined,
      host: config.host,
      port: config.port,
      patrol,
      log: redaction.log,
      keep: redaction.keep,
      redactor: redaction.redactor,
      fatal: ending.fail,
      stop: null,
    });
    if (token !== null && environment.token === undefined)
      terminal.err(`A token for people, for as long as this coordinator runs: DROVER_TOKEN=${token}`);
    answer(surroundings, { url: coordinator.url, pid: process.pid }, ({ url }) => `The coordinator listens at ${url}.`);
    await ending.asked;
  },
});
