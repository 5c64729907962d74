// Sets up Claude Code for a trial without network and account.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Program } from './program.ts';

/** Trust, the API key and bypassed permissions are left to its dialogs. */
export const CLAUDE: Program = {
  settle: async ({ home }) => {
    const settings = { hasCompletedOnboarding: true, theme: 'dark', numStartups: 3 };
    await writeFile(path.join(home, '.claude.json'), JSON.stringify(settings));
  },
  env: ({ model }) => ({
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'sk-ant-api03-not-a-real-key-for-a-service-on-loopback',
  }),
  args: [],
  print: ['-p'],
  keys: {
    allow: ['Enter'],
    deny: ['Escape'],
    interrupt: ['Escape'],
    exit: ['/exit', 'Enter'],
  },
  alters: {
    'letters and accents put together': 'it stores text composed',
    'white space added: 1 before': 'Drover keeps it from being a command',
    'tabs became spaces': 'its box has no tabs',
  },
  without: { left: 'it tells limits of a subscription alone, and pays with a key here' },
};
