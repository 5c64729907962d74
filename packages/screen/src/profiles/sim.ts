/** Describes how to read and talk to the simulated coding agent: it paints, takes keys and fires hooks as Claude Code does. */
import type { ProfileDocument } from '../profile/schema.ts';
import { CLAUDE } from './claude.ts';

/** The profile document of the simulated agent. */
export const SIM = {
  ...CLAUDE,
  id: 'sim',
  name: 'Simulated agent',
  versions: [],
  commands: ['node', 'sim-agent'],
  signals: {
    ...CLAUDE.signals,
    transcript: '{home}/.sim-agent/projects/{slug}/{session}.jsonl',
    structured: { ...CLAUDE.signals.structured, where: '{home}/.sim-agent/sessions' },
  },
  launch: { ...CLAUDE.launch, program: 'sim-agent' },
} as const satisfies ProfileDocument;
