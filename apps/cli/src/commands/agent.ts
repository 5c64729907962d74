/** `drover agent`: the machine agent alone, for a machine of a fleet. */
import { composeAgent } from '../compose/agent.ts';
import { createLog } from '../compose/log.ts';
import { needPrograms } from '../compose/programs.ts';
import { readSettings } from '../compose/settings.ts';
import { untilSignalled } from '../until-signalled.ts';
import { CommandError } from '../exit-codes.ts';
import { text } from '../options.ts';
import type { Surroundings } from '../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  _args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  const settings = await readSettings(surroundings, {});
  await needPrograms(surroundings);
  const { config, paths } = settings;
  const url = text(options, 'url') ?? config.agent.coordinator_url;
  if (url === undefined) throw new CommandError('usage', 'Which coordinator? Give --url, or set agent.coordinator_url');
  const ending = untilSignalled();
  await using agent = await composeAgent(surroundings, settings, {
    url,
    joinToken: text(options, 'join'),
    name: text(options, 'name'),
    log: createLog(surroundings, config.agent.log_level),
    signal: ending.signal,
  });
  terminal.out(
    terminal.json
      ? JSON.stringify({ pid: process.pid, root: paths.root })
      : `The machine agent of ${paths.root} talks to ${url}.`,
  );
  await ending.asked;
  await agent.ended;
}
