/** `drover report`: how recovery went. */
import { ask } from '../../client/client.ts';
import { optional, span } from '../../program/options.ts';
import { reportText } from './report-text.ts';
import type { Surroundings } from '../../surroundings.ts';

/** What is summed up without `--since`: a day, in milliseconds. */
const SINCE_MS = 24 * 3_600_000;

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [worker]: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  const input = { sinceMs: span(options, 'since') ?? SINCE_MS, ...optional('worker', worker) };
  const report = await ask(surroundings, (client) => client.report.query(input));
  terminal.out(terminal.json ? JSON.stringify(report) : reportText(report, { terminal }));
}
