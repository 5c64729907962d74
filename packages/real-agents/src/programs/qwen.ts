// Sets up Qwen Code for a trial without network and account.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TELLS_NO_BACKGROUND, TELLS_NOTHING, type Program } from './program.ts';

/** An API key and a service on loopback. */
export const QWEN: Program = {
  settle: async ({ home }) => {
    const directory = path.join(home, '.qwen');
    await mkdir(directory, { recursive: true });
    const settings = {
      security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: true } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    };
    await writeFile(path.join(directory, 'settings.json'), JSON.stringify(settings));
  },
  env: ({ model }) => ({ OPENAI_API_KEY: 'not-a-real-key', OPENAI_BASE_URL: `${model}/v1`, OPENAI_MODEL: 'mock-1' }),
  args: [],
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
