/** `drover hook` with options or at a terminal: says what it is for. What programs call is answered in main.ts. */
import type { Surroundings } from '../../surroundings.ts';

const ABOUT = `"drover hook" is called by coding agents, not by people: it reads one hook event as JSON on stdin, says what kind of
failure it tells of and what to do about it, and ends with status 0 whatever it was given.`;

/** Runs the command. */
export async function run({ terminal }: Surroundings): Promise<void> {
  terminal.err(ABOUT);
  return Promise.resolve();
}
