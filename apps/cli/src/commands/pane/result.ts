/** `drover result`: called by the agent of a run's task in its pane; checks the result and leaves it where its machine reads it. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOf } from '@drover/base';
import { checkResult, itemName, OWED_FILE, readOwed, resultFileName } from '@drover/protocol/results';
import { CommandError } from '../../exit-codes.ts';
import { defineCommand } from '../../program/define.ts';
import { text, texts } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { answersIn, findingsIn } from './finding.ts';

const FILE_BYTES_MAX = 1024 * 1024;

export const command = defineCommand({
  about: 'called by agents: give the result of a task of a run',
  example: `drover result --verdict done --summary "Added the flag, with a test"
drover result --verdict done --summary "Four parts" --parts parts.json
drover result --verdict revise --summary "One" --finding "blocker a.ts:12 why"
drover result --verdict done --summary "Mended" --answer "F1 fixed"
drover result --json-file result.json`,
  more: `It is called in the pane of a worker whose task belongs to a run, and says at
once what is wrong. A repeated call replaces the result.`,
  options: {
    verdict: text('verdict', 'done or blocked; of a review: approve or revise'),
    summary: text('text', 'what was done, at most 2,000 characters'),
    parts: text('file', 'JSON list of parts: title, prompt, paths'),
    report: text('file', 'the report'),
    finding: texts('text', 'a finding, "SEVERITY [FILE:LINE] TEXT"; repeat it for more'),
    answer: texts('text', 'an answer to a finding, "F1 fixed" or "F1 declined: WHY"; repeat it for more'),
    jsonFile: text('file', 'the whole result as JSON'),
  },
  run(surroundings, { options }) {
    const given =
      options.jsonFile === undefined ? fromOptions(surroundings, options) : jsonOf(surroundings, options.jsonFile);
    surroundings.terminal.out(takeResult(surroundings, given));
    return Promise.resolve();
  },
});

/** Checks a result and leaves it for the machine. @returns a receipt for the agent. @throws {CommandError} for one that does not count. */
export function takeResult({ environment }: Pick<Surroundings, 'environment'>, given: object): string {
  const { directory, owed } = owedHere(environment);
  const value = { v: 1, task: itemName(owed), attempt: owed.attempt, ...given };
  const checked = checkResult(value, owed);
  if (checked.kind === 'invalid')
    throw new CommandError(
      'usage',
      `The result was not taken:\n${checked.problems.map((one) => `- ${one}`).join('\n')}`,
    );
  const path = join(directory, resultFileName(owed));
  writeFileSync(`${path}.new`, `${JSON.stringify(value)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return `Result taken: ${checked.result.verdict}. End your turn now; Drover reads it then.`;
}

/** Finds what the worker of this pane owes. @throws {CommandError} if nothing is owed here. */
function owedHere(environment: Surroundings['environment']): {
  directory: string;
  owed: NonNullable<ReturnType<typeof readOwed>>;
} {
  const directory = environment.variables['DROVER_RESULT'] ?? '';
  if (directory === '')
    throw new CommandError(
      'usage',
      '"drover result" is called by agents, in the pane of a worker: DROVER_RESULT is not set',
    );
  const owed = readOwed(read(join(directory, OWED_FILE)) ?? '');
  if (owed !== null) return { directory, owed };
  throw new CommandError(
    'usage',
    'The task of this worker belongs to no run: nobody waits for a result. Commit your work',
  );
}

interface Given {
  readonly verdict: string | undefined;
  readonly summary: string | undefined;
  readonly parts: string | undefined;
  readonly report: string | undefined;
  readonly finding: readonly string[];
  readonly answer: readonly string[];
}

function fromOptions(surroundings: Surroundings, { verdict, summary, parts, report, finding, answer }: Given): object {
  return {
    ...(verdict !== undefined && { verdict }),
    ...(summary !== undefined && { summary }),
    ...(parts !== undefined && { parts: jsonOf(surroundings, parts) }),
    ...(report !== undefined && { report: fileOf(surroundings, report) }),
    findings: findingsIn(finding),
    answers: answersIn(answer),
  };
}

function jsonOf(surroundings: Surroundings, file: string): object {
  try {
    const value: unknown = JSON.parse(fileOf(surroundings, file));
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError('usage', `"${file}" is not JSON: ${messageOf(error)}`);
  }
  throw new CommandError('usage', `"${file}" holds neither a list nor an object`);
}

function fileOf({ cwd }: Surroundings, file: string): string {
  const found = read(resolve(cwd, file));
  if (found === undefined) throw new CommandError('usage', `"${file}" cannot be read`);
  if (found.length > FILE_BYTES_MAX)
    throw new CommandError('usage', `"${file}" is larger than ${FILE_BYTES_MAX} bytes`);
  return found;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
