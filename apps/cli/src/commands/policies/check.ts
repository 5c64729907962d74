/** `drover policy check`: what is wrong with a policy file, before anybody decides by it. */
import path from 'node:path';
import { formatProblem } from '@drover/config';
import { CommandError } from '../../exit-codes.ts';
import { readPolicyFile } from './side.ts';
import { needRoot } from '../../surroundings.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(surroundings: Surroundings, [name]: readonly string[]): Promise<void> {
  const { terminal, cwd } = surroundings;
  const file = name === undefined ? path.join(needRoot(surroundings).root, 'drover.toml') : path.resolve(cwd, name);
  const outcome = await readPolicyFile(file);
  if (outcome.kind === 'invalid') {
    if (terminal.json) terminal.out(JSON.stringify({ ok: false, problems: outcome.problems }));
    throw new CommandError('problems', outcome.problems.map(formatProblem).join('\n'));
  }
  if (terminal.json) terminal.out(JSON.stringify({ ok: true, ...outcome.documents }));
  else terminal.out(`${file} is a good policy.`);
}
