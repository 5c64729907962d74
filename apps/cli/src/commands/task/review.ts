/** `drover review`: prints waiting work, with its diff. */
import type { ReviewView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { choice, optional, text } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { page } from '../../terminal/pager.ts';
import { diffText } from './review/diff-text.ts';
import { difftastic } from './review/difftastic.ts';
import { orRun, reviewRun } from '../run/review.ts';
import { reviewHead } from './review/head.ts';
import { needProgram } from './review/objects.ts';
import { openInEditor } from './review/vscode.ts';

const INTERFACES = ['diff', 'stat', 'difftastic', 'vscode'] as const;

export const command = defineCommand({
  about: 'show work that waits for review',
  example:
    'drover review\ndrover review adam --interface stat\ndrover review 1a2b3c4d\ndrover review --json | jq -r .diff',
  args: { worker: optional('the worker, or a run (default: the worker that has waited longest)') },
  options: {
    interface: choice('how', 'how to show the work', INTERFACES),
    comments: text('file', 'also write a file for comments on its lines, for "drover reject --file"'),
  },
  more: `Above the work stand its task, its age, what it is built on, and what its diff
does not say: hidden characters, links, submodules, modes, binary files. Each
way works from anywhere. vscode opens each changed file, before and after side
by side, from copies that its agent cannot change. Of a worker on another
machine, and of work behind the default branch, difftastic and vscode get text
files alone, 1.5 MiB in all, and name the rest.`,
  async run(surroundings, { args, options: { interface: how, comments } }) {
    const { terminal } = surroundings;
    if (comments !== undefined && how === 'stat')
      throw new CommandError('usage', 'Comments need lines, which --interface stat does not show: leave it out');
    const input = {
      ...defined({ name: args.worker }),
      ...(how === 'stat' ? { stat: true } : {}),
      ...(needsSides(how) ? { sides: true } : {}),
    };
    // Checked before the work counts as reviewed.
    if (how === 'difftastic' && !terminal.json) await needProgram(surroundings, 'difft');
    if (how === 'vscode' && !terminal.json) await needProgram(surroundings, 'code');
    const call = (): Promise<ReviewView | null> => ask(surroundings, (client) => client.workers.review.mutate(input));
    const review = await orRun(args.worker, call, async (id) => {
      if (needsSides(how) || comments !== undefined)
        throw new CommandError(
          'usage',
          'The candidate of a run is shown by --interface diff or stat, without --comments',
        );
      await reviewRun(surroundings, { id, stat: how === 'stat' });
      return null;
    });
    if (review === null) return;
    if (comments !== undefined) {
      // Loaded only then: the module loads the diff parser.
      const { writeTemplate } = await import('./review/template.ts');
      await writeTemplate(surroundings, comments, review);
    }
    if (terminal.json) {
      terminal.out(JSON.stringify(review));
      return;
    }
    const head = reviewHead(review, { now: surroundings.now(), terminal });
    await page(surroundings, `${head}\n${await shownBy(how, surroundings, review)}`);
    if (comments !== undefined) terminal.err(`\nWrite your comments into ${comments}, which explains the format.`);
    // The name as typed: another project may have a worker of that name.
    const { worker = review.worker.name } = args;
    terminal.err(`\nYou have reviewed commit ${review.head}; "drover accept" merges no later commit.`);
    terminal.err(`Next: drover accept ${worker}, or drover reject ${worker} "what to change"`);
  },
});

function needsSides(how: (typeof INTERFACES)[number]): boolean {
  return how === 'difftastic' || how === 'vscode';
}

async function shownBy(
  how: (typeof INTERFACES)[number],
  surroundings: Surroundings,
  review: ReviewView,
): Promise<string> {
  switch (how) {
    case 'stat':
      return review.diff;
    case 'difftastic':
      return difftastic(surroundings, review);
    case 'vscode':
      return openInEditor(surroundings, review);
    case 'diff':
      return diffText(review.diff, surroundings.terminal);
  }
}
