/** Runs the programs that `npm run` starts with options: reads their numbers, prints their help, and gives them one way to end. */
import { messageOf } from '@drover/base';

/** Reads a number that a person typed as an option of a tool. @throws when it is no whole number, or less than `least`. */
export function wholeNumber(option: string, text: string, least: number): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < least)
    throw new Error(`${option} is "${text}", and must be a whole number of at least ${least}`);
  return number;
}

/**
 * Runs a program, or prints its help where that is asked for. Exit status: 0 if `main` answers that all is well, 1 if not, 2 after an error,
 * which is told in a line.
 */
export async function runProgram(help: string, main: () => boolean | Promise<boolean>): Promise<void> {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return void console.log(help);
  try {
    process.exitCode = (await main()) ? 0 : 1;
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 2;
  }
}
