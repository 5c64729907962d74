// Sets up GitHub Copilot CLI for a trial without network and account.
import { TELLS_NO_BACKGROUND, TELLS_NOTHING, type Program } from './program.ts';

/** A provider of the user's own, on loopback. Trust in the worktree is left to its dialog. */
export const COPILOT: Program = {
  settle: async () => {},
  env: ({ model }) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    COPILOT_PROVIDER_API_KEY: 'not-a-real-key',
    COPILOT_MODEL: 'mock-1',
  }),
  args: [],
  print: ['-p'],
  keys: {
    allow: ['Enter'],
    deny: ['Escape'],
    interrupt: ['Escape', 'Escape'],
    exit: ['C-c', 'C-c'],
  },
  alters: { 'white space added: 1 before': 'Drover keeps it from being a command' },
  without: {
    background: TELLS_NO_BACKGROUND,
    overtime: TELLS_NO_BACKGROUND,
    left: TELLS_NOTHING,
  },
};
