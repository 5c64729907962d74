// Sets up OpenCode for a trial without network and account.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TELLS_NO_BACKGROUND, TELLS_NOTHING, type Program } from './program.ts';

/** A provider on loopback; every shell command needs permission. */
export const OPENCODE: Program = {
  settle: async ({ home, model }) => {
    const directory = path.join(home, '.config', 'opencode');
    await mkdir(directory, { recursive: true });
    const settings = {
      autoupdate: false,
      share: 'disabled',
      model: 'mock/mock-1',
      small_model: 'mock/mock-1',
      permission: { bash: 'ask', edit: 'ask', webfetch: 'ask' },
      provider: {
        mock: {
          npm: '@ai-sdk/openai-compatible',
          name: 'mock',
          options: { baseURL: `${model}/v1`, apiKey: 'not-a-real-key' },
          models: { 'mock-1': { name: 'mock-1' } },
        },
      },
    };
    await writeFile(path.join(directory, 'opencode.json'), JSON.stringify(settings));
  },
  env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  args: [],
  print: ['run'],
  keys: {
    allow: ['Enter'],
    deny: ['Escape'],
    interrupt: ['Escape', 'Escape'],
    exit: ['/exit', 'Enter'],
  },
  alters: {
    'white space added: 1 after': 'it puts a space after a paste that it shows as a placeholder',
    'white space added: 1 before': 'Drover keeps it from being a command',
  },
  without: {
    background: TELLS_NO_BACKGROUND,
    overtime: TELLS_NO_BACKGROUND,
    left: TELLS_NOTHING,
    bypass: 'its permissions stand in its own configuration, not in how it is started',
  },
};
