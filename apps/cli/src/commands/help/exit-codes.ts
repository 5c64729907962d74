/** `drover exit-codes`: what the exit status says. */
import { EXIT_CODES } from '../../exit-codes.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. */
export async function run({ terminal }: Surroundings): Promise<void> {
  if (terminal.json) {
    terminal.out(JSON.stringify(EXIT_CODES));
    return;
  }
  for (const [name, { status, meaning }] of Object.entries(EXIT_CODES))
    terminal.out(`${String(status).padStart(3)}  ${name.padEnd(12)} ${meaning}`);
}
