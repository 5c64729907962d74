// Lists the programs, by the name of Drover's profile for each.
import type { AgentName } from '../versions.ts';
import { CLAUDE } from './claude.ts';
import { CODEX } from './codex.ts';
import { COPILOT } from './copilot.ts';
import { GEMINI } from './gemini.ts';
import { OPENCODE } from './opencode.ts';
import { PI } from './pi.ts';
import { QWEN } from './qwen.ts';
import type { Program } from './program.ts';

/** Every program that can be tried. */
export const PROGRAMS: Readonly<Record<AgentName, Program>> = {
  claude: CLAUDE,
  codex: CODEX,
  opencode: OPENCODE,
  gemini: GEMINI,
  copilot: COPILOT,
  qwen: QWEN,
  pi: PI,
};
