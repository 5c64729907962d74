// Entry of the simulated agent for tests: its program, and the events of its witness log.

import { fileURLToPath } from 'node:url';

/** Absolute path of the program's entry: run it with Node 24 in a terminal. */
export const SIM_AGENT_ENTRY: string = fileURLToPath(new URL('main.ts', import.meta.url));

export { KEYWORDS } from './turn/script.ts';
export type { WitnessEvent, WitnessLine } from './records/witness.ts';
