/** Tests that a mistake names the command or the option that the person meant. */
import { expect, test } from 'vitest';
import { loadCommands } from '../commands/load.ts';
import { createProgram } from './program.ts';

async function toldOf(words: readonly string[]): Promise<string> {
  const told: string[] = [];
  const program = createProgram({
    commands: await loadCommands(words[0]),
    run: () => Promise.resolve(),
    version: '0',
    print: () => {},
    note: (text) => void told.push(text),
  });
  await program.parseAsync(words, { from: 'user' }).catch(() => {});
  return told.join('');
}

test.each([
  [['cordon', 'maple'], `unknown command 'cordon'\n(Did you mean "drover machine cordon"?)\n`],
  [['tokens'], `unknown command 'tokens'\n(Did you mean "drover auth token"?)\n`],
  [['policy', 'show'], '(Did you mean "drover debug policy"?)\n'],
  [['start', 'adam', '--prompt', 'do it'], 'got 1: adam.\n(Did you mean --worker adam?)\n'],
  [['nuke', '--al'], '(Did you mean --all?)'],
])('given %j, when it is read, then the person is told what was meant', async (words, advice) => {
  expect(await toldOf(words)).toContain(advice);
});

test.each([[['show']], [['frobnicate']], [['down', 'bea']]])(
  'given %j, when nothing or too much could be meant, then nothing is guessed',
  async (words) => {
    expect(await toldOf(words)).not.toContain('Did you mean "drover');
    expect(await toldOf(words)).not.toContain('--worker');
  },
);
