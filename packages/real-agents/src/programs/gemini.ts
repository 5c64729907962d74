// Sets up Gemini CLI for a trial without network and account.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TELLS_NO_BACKGROUND, TELLS_NOTHING, type Program } from './program.ts';

/** An API key and a service on loopback. */
export const GEMINI: Program = {
  settle: async ({ home }) => {
    const directory = path.join(home, '.gemini');
    await mkdir(directory, { recursive: true });
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: true } },
      general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    };
    await writeFile(path.join(directory, 'settings.json'), JSON.stringify(settings));
  },
  env: ({ model }) => ({ GEMINI_API_KEY: 'not-a-real-key', GOOGLE_GEMINI_BASE_URL: model }),
  args: ['--model', 'gemini-2.5-flash'],
  print: ['-p'],
  keys: {
    allow: ['Enter'],
    deny: ['Escape'],
    interrupt: ['Escape'],
    exit: ['/quit', 'Enter'],
  },
  alters: {},
  without: { background: TELLS_NO_BACKGROUND, overtime: TELLS_NO_BACKGROUND, left: TELLS_NOTHING },
};
