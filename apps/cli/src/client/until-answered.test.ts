import { expect, test } from 'vitest';
import { CommandError } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Surroundings } from '../surroundings.ts';
import { untilAnswered } from './until-answered.ts';

/** Makes a call that fails in these ways, one after the other, and then answers. */
function failing(...codes: readonly ExitCode[]) {
  const said: string[] = [];
  const slept: number[] = [];
  const left = [...codes];
  const surroundings = {
    terminal: { err: (text: string) => void said.push(text) },
    sleep: async (ms: number) => void slept.push(ms),
  } as unknown as Surroundings;
  const call = async (): Promise<string> => {
    const code = left.shift();
    if (code !== undefined) throw new CommandError(code, 'Drover is not up');
    return 'the answer';
  };
  return { said, slept, answered: untilAnswered(surroundings, call) };
}

test('given a coordinator that is restarted, when a command goes on, then it says so once and gets the answer', async () => {
  const { said, slept, answered } = failing('unreachable', 'unreachable', 'unreachable');

  expect(await answered).toBe('the answer');
  expect(said).toEqual(['Drover is not up. Trying again until it answers; Ctrl-C ends']);
  expect(slept).toHaveLength(3);
});

test('given a refusal, when a command goes on, then it ends with it', async () => {
  const { said, answered } = failing('not-found');

  await expect(answered).rejects.toThrow('Drover is not up');
  expect(said).toEqual([]);
});
