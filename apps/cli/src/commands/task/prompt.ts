/** Reads the prompt of a task from an option, a file or stdin. The commands that give tasks share it. */
import { text } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { readText } from '../../terminal/texts.ts';

/** `--prompt` and `--prompt-file`. */
export const PROMPT_OPTIONS = {
  prompt: text('text', 'the task'),
  promptFile: text('file', 'a file with the task; "-" reads stdin'),
} as const;

/** @throws {CommandError} if there is no prompt, if there are two, or if it is invalid. */
export function readPrompt(
  { cwd }: Pick<Surroundings, 'cwd'>,
  { prompt, promptFile }: { readonly prompt: string | undefined; readonly promptFile: string | undefined },
): Promise<string> {
  return readText({
    text: prompt,
    file: promptFile,
    cwd,
    what: 'prompt',
    given: '--prompt TEXT',
    option: '--prompt-file',
  });
}
