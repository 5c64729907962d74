import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLocalHost } from '@drover/host';
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { worktreeOf } from '../execute/worktree-of.ts';
import { hookFiles } from '../signals/hooks.ts';
import { findSource, type SourceContext } from './sources.ts';

const COPILOT = BUILT_IN_PROFILES.get('copilot');
let home = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'drover-sources-')));
});
afterEach(() => rmSync(home, { recursive: true }));

/** A worker with Copilot CLI, which Drover has started in the conversation `begun`. */
function worker() {
  if (COPILOT === undefined) throw new Error('There is no profile "copilot"');
  const settings = { ...WORKER_SETTINGS, project: { ...WORKER_SETTINGS.project, root: home } };
  const files = hookFiles(home, settings.workerId, COPILOT);
  mkdirSync(files.payloads, { recursive: true });
  const context = {
    host: createLocalHost({ env: {} }),
    profiles: { of: () => ({ profile: COPILOT }) },
    settings,
    machineDir: home,
    home,
    knownWorkers: { lastIncarnationOf: () => ({ conversation: 'begun', openedAt: 0 }) },
    conversationNames: { named: (_worker: string, name: string) => Promise.resolve(name) },
  } as unknown as SourceContext;
  let hooks = 0;
  return {
    shown: async () => (await findSource(context))?.name,
    /** The program begins a conversation. @returns its record. */
    begins: (name: string): string => {
      const record = join(home, '.copilot/session-state', name, 'events.jsonl');
      mkdirSync(dirname(record), { recursive: true });
      writeFileSync(record, `${JSON.stringify({ type: 'session.start', cwd: worktreeOf(settings) })}\n`);
      return record;
    },
    hook: (payload: object): void => {
      const name = `hook${String((hooks += 1)).padStart(6, '0')}`;
      writeFileSync(join(files.payloads, name), JSON.stringify(payload));
      appendFileSync(files.news, `${name}\n`);
    },
  };
}

test('given Copilot CLI, when its user clears the conversation, then the new one is shown from its first prompt on', async () => {
  const { shown, begins, hook } = worker();
  const begun = begins('begun');
  hook({ hook_event_name: 'UserPromptSubmit', session_id: 'begun', prompt: 'one' });
  hook({ hook_event_name: 'Stop', session_id: 'begun', transcript_path: begun });
  const before = await shown();
  const cleared = begins('cleared');

  hook({ hook_event_name: 'UserPromptSubmit', session_id: 'cleared', prompt: 'two' });

  expect([before, await shown()]).toEqual([begun, cleared]);
});

test('given a hook that names a conversation by a path out of the directory, when the conversation is looked for, then the one that was begun is shown', async () => {
  const { shown, begins, hook } = worker();
  const begun = begins('begun');
  begins('../../elsewhere');

  hook({ hook_event_name: 'UserPromptSubmit', session_id: '../../elsewhere', prompt: 'two' });

  expect(await shown()).toBe(begun);
});
