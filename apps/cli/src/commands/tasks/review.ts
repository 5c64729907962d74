/** `drover review`: the work that waits, with its diff. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ReviewView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { difftastic } from './difftastic.ts';
import { CommandError } from '../../exit-codes.ts';
import { optional, text } from '../../program/options.ts';
import { diffText, reviewHead } from './review-text.ts';
import { page } from '../../terminal/pager.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [name]: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  const how = text(options, 'interface') ?? 'diff';
  const input = { ...optional('name', name), ...(how === 'stat' ? { stat: true } : {}) };
  const review = await ask(surroundings, (client) => client.workers.review.mutate(input));
  if (terminal.json) {
    terminal.out(JSON.stringify(review));
    return;
  }
  const head = reviewHead(review, terminal);
  if (how === 'vscode') {
    terminal.out(head);
    await openEditor(review);
  } else await page(surroundings, `${head}\n${await shownBy(how, surroundings, review)}`);
  const { name: worker } = review.worker;
  terminal.err(`\nYou have seen commit ${review.head}; what comes after it is not merged by your accept.`);
  terminal.err(`Then: drover accept ${worker}, or drover reject ${worker} "what to change"`);
}

async function shownBy(how: string, surroundings: Surroundings, review: ReviewView): Promise<string> {
  if (how === 'stat') return review.diff;
  if (how === 'difftastic') return difftastic(surroundings, review);
  return diffText(review.diff, surroundings.terminal);
}

/** The editor looks at the worktree itself; that needs to be on this machine. What the program prints is not shown. */
async function openEditor({ worker }: ReviewView): Promise<void> {
  const child = spawn('code', ['--new-window', worker.worktree], { stdio: 'ignore' });
  const [status] = (await Promise.race([
    once(child, 'close'),
    once(child, 'error').then(([error]: unknown[]) => {
      throw new CommandError('environment', `Cannot run code: ${String(error)}. Use --interface diff`);
    }),
  ])) as [number | null];
  if (status !== 0)
    throw new CommandError(
      'environment',
      `code ended with status ${status ?? 'unknown'}; is the worktree on this machine?`,
    );
}
