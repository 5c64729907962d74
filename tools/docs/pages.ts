// `npm run docs`: writes the generated pages. A test holds each file in the repository to what stands here.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../checks/source/rooms.ts';
import { commandsPage } from './commands.ts';
import { configurationPage } from './configuration.ts';
import { recoveryReferencePage } from './recovery-reference.ts';
import { runbooksPage } from './runbooks.ts';
import { v1Types } from './v1-types.ts';
import { workerStatesPage } from './worker-states.ts';

/** The page that tells the policy to people. */
export const REFERENCE_PAGE = 'docs/recovery-reference.md';

/** The whole text of each, by its path from the repository's root. */
export const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/configuration.md': configurationPage,
  'docs/reference/commands.md': commandsPage,
  'docs/reference/runbooks.md': runbooksPage,
  'docs/worker-states.md': workerStatesPage,
  [REFERENCE_PAGE]: recoveryReferencePage,
  'apps/coordinator/tests/v1/fixtures/v1-types.ts': v1Types,
};

if (import.meta.main)
  for (const [page, write] of Object.entries(PAGES)) {
    const file = path.join(REPOSITORY, page);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, await write());
  }
