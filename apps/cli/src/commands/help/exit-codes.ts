/** `drover help exit-codes`: prints the meaning of each exit status. */
import { EXIT_CODES } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';

export const command = defineCommand({
  about: 'explain the exit status of drover',
  example: 'drover help exit-codes --json',
  run(surroundings) {
    answer(surroundings, EXIT_CODES, linesOf);
    return Promise.resolve();
  },
});

function linesOf(codes: typeof EXIT_CODES): string {
  const lines = Object.entries(codes).map(
    ([name, { status, meaning }]) => `${String(status).padStart(3)}  ${name.padEnd(12)} ${meaning}`,
  );
  return lines.join('\n');
}
