// Finds listeners of a signal that stay on it: one that lives as long as the process keeps them, and all that they know, for as long.
import { isTest, type Source } from '../source/source.ts';

/** Files whose listeners stay, each with its reason. */
const EXEMPT_FILES: Readonly<Record<string, string>> = {
  'apps/cli/src/commands/worker/attach/staying.ts': 'once, while a person is attached',
  'apps/cli/src/compose/agent.ts': 'once in the life of the process',
  'apps/coordinator/src/http/app.ts': 'once in the life of the process',
  'apps/machine-agent/src/execute/executor.ts': 'the signal is that of one command',
};

const LISTENS = /\.addEventListener\('abort'/gu;
const LEAVES = /\.removeEventListener\('abort'/gu;

/** Says where a file listens for the end of something more often than it stops listening. `{ once: true }` removes only what was called. */
export function listenerProblems({ file, text }: Source): readonly string[] {
  if (isTest(file) || file in EXEMPT_FILES || !/^(?:apps|packages)\//u.test(file)) return [];
  const [listens, leaves] = [LISTENS, LEAVES].map((way) => [...text.matchAll(way)].length);
  if ((listens ?? 0) <= (leaves ?? 0)) return [];
  return [`${file}: adds ${listens} listeners for "abort" and removes ${leaves}; use pause() of base, or remove each`];
}
