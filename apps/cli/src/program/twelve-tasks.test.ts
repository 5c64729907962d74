/**
 * Tests that the help alone leads to each of twelve tasks, in at most two tries after `drover --help`. docs/proof/help.md
 * has the tries of a person who did not know the commands.
 */
import { expect, test } from 'vitest';
import { loadCommands } from '../commands/load.ts';
import { createProgram } from './program.ts';

/** Tries of each task, as they are typed, and the words by which a reader knows that this is it. */
const TASKS: readonly (readonly [task: string, tries: readonly string[], words: RegExp])[] = [
  ['see what an agent does', ['attach --help'], /see what it does/u],
  ['stop one worker', ['cancel --help'], /stop a worker at its task/u],
  ['change its model', ['worker --help', 'worker edit --help'], /--model <model>/u],
  ['give one task to three agents', ['start --help', 'run --help'], /--times 3/u],
  ['send work back', ['reject --help'], /send work back/u],
  ['undo an accept', ['revert --help'], /undo an accepted commit/u],
  ['answer a question', ['answer --help'], /answer an open question/u],
  ['find the logs', ['logs --help'], /logs\/up\.log/u],
  ['add a machine', ['machine --help', 'machine add --help'], /add a host over ssh/u],
  ['limit what agents may do', ['add --help', 'help limits --help'], /permissions, cage, trust/u],
  ['see what it cost', ['report --help'], /what it cost/u],
  ['remove everything', ['remove-root --help'], /remove everything/u],
];

/** Words that a newcomer types without reading, and the answer that leads on. */
const GUESSES: readonly (readonly [typed: string, meant: string])[] = [
  ['stop', 'cancel'],
  ['undo', 'revert'],
  ['cost', 'report'],
  ['limit', 'help limits'],
  ['sandbox', 'help limits'],
  ['delete', 'nuke'],
  ['tail', 'logs'],
];

async function shown(line: string): Promise<string> {
  const said: string[] = [];
  const words = line.split(' ');
  const program = createProgram({
    commands: await loadCommands(words[0]),
    run: () => Promise.resolve(),
    version: '0',
    print: (text) => void said.push(text),
    note: (text) => void said.push(text),
  });
  await program.parseAsync(words, { from: 'user' }).catch(() => {});
  return said.join('').replaceAll(/\s+/gu, ' ');
}

test.each(TASKS)(
  'given "%s", when a newcomer reads the help, then %j lead there, each named by the one before',
  async (_task, tries, words) => {
    expect(tries.length).toBeLessThanOrEqual(2);
    let page = await shown('--help');
    for (const line of tries) {
      const [last = ''] = line
        .replace(/ --help$/u, '')
        .split(' ')
        .slice(-1);
      expect(page).toContain(last);
      page = await shown(line);
    }

    expect(page).toMatch(words);
  },
);

test.each(GUESSES)(
  'given the guess "drover %s", when it is typed, then the answer names "drover %s"',
  async (typed, meant) => {
    expect(await shown(typed)).toMatch(new RegExp(`Did you mean .*"drover ${meant}"`, 'u'));
  },
);
