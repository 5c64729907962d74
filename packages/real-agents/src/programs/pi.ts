// Sets up Pi for a trial without network and account.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TELLS_NO_BACKGROUND, TELLS_NOTHING, type Program } from './program.ts';

const ASKS_NOTHING = 'it runs every command without a question';

/** A provider of the user's own, on loopback. */
export const PI: Program = {
  settle: async ({ home, model }) => {
    const directory = path.join(home, '.pi/agent');
    await mkdir(directory, { recursive: true });
    const mock = {
      baseUrl: `${model}/v1`,
      api: 'openai-completions',
      apiKey: 'not-a-real-key',
      models: [{ id: 'mock-1' }],
    };
    await writeFile(path.join(directory, 'models.json'), JSON.stringify({ providers: { mock } }));
    const settings = { defaultProvider: 'mock', defaultModel: 'mock-1' };
    await writeFile(path.join(directory, 'settings.json'), JSON.stringify(settings));
  },
  // Otherwise it downloads tools of its own.
  env: () => ({ PI_OFFLINE: '1' }),
  args: [],
  print: ['-p'],
  keys: {
    allow: ['Enter'],
    deny: ['Escape'],
    interrupt: ['Escape'],
    exit: ['/quit', 'Enter'],
  },
  alters: { 'tabs became spaces': 'its box has no tabs' },
  without: {
    background: TELLS_NO_BACKGROUND,
    overtime: TELLS_NO_BACKGROUND,
    left: TELLS_NOTHING,
    permission: ASKS_NOTHING,
    phone: ASKS_NOTHING,
    refusal: ASKS_NOTHING,
    commit: ASKS_NOTHING,
    question: 'it has no tool that asks its user',
  },
};
