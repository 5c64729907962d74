/** `drover review`: the work that waits, with its diff. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ReviewView } from '@drover/api';
import { ask } from '../client.ts';
import { CommandError } from '../exit-codes.ts';
import { optional, text } from '../options.ts';
import { paint, plain } from '../output/style.ts';
import { workerLine } from '../output/workers.ts';
import { page } from '../pager.ts';
import type { Surroundings } from '../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [name]: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  const review = await ask(surroundings, (client) => client.workers.review.mutate({ ...optional('name', name) }));
  if (terminal.json) {
    terminal.out(JSON.stringify(review));
    return;
  }
  const how = text(options, 'interface') ?? 'diff';
  const head = heading(review, surroundings);
  if (how === 'diff') await page(surroundings, `${head}\n${coloured(review.diff, terminal.colours)}`);
  else {
    terminal.out(head);
    await openTool(review, how);
  }
  terminal.err(`\nThen: drover accept ${review.worker.name}, or drover reject ${review.worker.name} "what to change"`);
}

function heading({ worker, commits, base, head }: ReviewView, { terminal }: Surroundings): string {
  const list = commits.map(
    ({ commit, subject, author }) => `  ${commit.slice(0, 12)} ${plain(subject)} (${plain(author)})`,
  );
  return [
    workerLine(worker, terminal),
    `${base.slice(0, 12)}..${head.slice(0, 12)} on ${worker.branch}`,
    ...list,
    '',
  ].join('\n');
}

function coloured(diff: string, colours: boolean): string {
  const lines = diff.split('\n').map((line) => {
    if (line.startsWith('+') && !line.startsWith('+++')) return paint(line, 'green', colours);
    if (line.startsWith('-') && !line.startsWith('---')) return paint(line, 'red', colours);
    return line.startsWith('@@') ? paint(line, 'cyan', colours) : line;
  });
  return lines.join('\n');
}

/** Tools that look at the worktree themselves; they need it to be on this machine. */
async function openTool({ worker, base, head }: ReviewView, how: string): Promise<void> {
  const range = `${base}..${head}`;
  const git = ['-C', worker.worktree];
  switch (how) {
    case 'stat':
      return spawned('git', [...git, 'diff', '--stat', range]);
    case 'difftastic':
      return spawned('git', [...git, '-c', 'diff.external=difft', 'diff', '--ext-diff', range]);
    default:
      return spawned('code', ['--new-window', worker.worktree]);
  }
}

async function spawned(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: 'inherit' });
  const [status] = (await Promise.race([
    once(child, 'close'),
    once(child, 'error').then(([error]: unknown[]) => {
      throw new CommandError('environment', `Cannot run ${program}: ${String(error)}. Use --interface diff`);
    }),
  ])) as [number | null];
  if (status !== 0)
    throw new CommandError(
      'environment',
      `${program} ended with status ${status ?? 'unknown'}; is the worktree on this machine?`,
    );
}
