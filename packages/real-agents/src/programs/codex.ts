// Sets up Codex CLI for a trial without network and account.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Program } from './program.ts';

/** Trust in the worktree is left to its dialog. */
export const CODEX: Program = {
  settle: async ({ home, model }) => {
    const directory = path.join(home, '.codex');
    await mkdir(directory, { recursive: true });
    const settings = [
      'model = "mock-1"',
      'model_provider = "mock"',
      'check_for_update_on_startup = false',
      '[analytics]',
      'enabled = false',
      '[model_providers.mock]',
      'name = "mock"',
      `base_url = "${model}/v1"`,
      'wire_api = "responses"',
      'experimental_bearer_token = "not-a-real-token"',
    ];
    await writeFile(path.join(directory, 'config.toml'), `${settings.join('\n')}\n`);
  },
  env: () => ({}),
  args: [],
  print: ['exec', '--skip-git-repo-check'],
  keys: {
    allow: ['Enter'],
    deny: ['Escape'],
    interrupt: ['Escape'],
    exit: ['/quit', 'Enter'],
  },
  alters: {},
  without: {
    overtime: 'all of its commands go on in the background when they take long',
    question: 'it offers its tool that asks only while it plans',
  },
};
