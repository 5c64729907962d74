/** `drover review`: the work that waits, with its diff. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ReviewView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { choice, optional } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { page } from '../../terminal/pager.ts';
import { difftastic } from './difftastic.ts';
import { diffText, reviewHead } from './review-text.ts';

const INTERFACES = ['diff', 'stat', 'difftastic', 'vscode'] as const;

/** `drover review`. */
export const command = defineCommand({
  about: 'show work that waits for a review',
  example: 'drover review\ndrover review adam --interface stat\ndrover review --json | jq -r .diff',
  args: { worker: optional('whose (default: the one that has waited longest)') },
  options: { interface: choice('how', 'how the work is shown', INTERFACES) },
  async run(surroundings, { args, options: { interface: how } }) {
    const { terminal } = surroundings;
    const input = { ...defined({ name: args.worker }), ...(how === 'stat' ? { stat: true } : {}) };
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
    terminal.err(`\nYou have reviewed commit ${review.head}; "drover accept" merges nothing that comes after it.`);
    terminal.err(`Then: drover accept ${worker}, or drover reject ${worker} "what to change"`);
  },
});

type Shown = Exclude<(typeof INTERFACES)[number], 'vscode'>;

async function shownBy(how: Shown, surroundings: Surroundings, review: ReviewView): Promise<string> {
  switch (how) {
    case 'stat':
      return review.diff;
    case 'difftastic':
      return difftastic(surroundings, review);
    case 'diff':
      return diffText(review.diff, surroundings.terminal);
  }
}

/** The editor opens the worktree itself, so that must be on this machine. What the program prints is not shown. */
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
