// Checks that the demo notices when a prompt was not taken as it promises.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Place } from './place.ts';
import { checkTaken } from './tasks.ts';

const PROMISED = [
  [11, 'You are working in: /here'],
  [12, 'You are working in: /there'],
  [11, 'Note: the session was cut off while you were working on this task.'],
  [12, 'Your work (commit 0123456789ab) was reviewed and sent back:'],
] as const;

test.each([
  ['as promised', PROMISED, null],
  ['twice', [...PROMISED, PROMISED[1]], 'bea took 2 prompts'],
  [
    'and not again after the crash',
    PROMISED.filter(([, prompt]) => !prompt.startsWith('Note:')),
    'adam took 0 prompts',
  ],
])(
  'given prompts that were taken %s, when the log of agents is read, then that is judged',
  async (_, prompts, said) => {
    const directory = await mkdtemp(join(tmpdir(), 'demo-'));
    const witness = join(directory, 'agents.jsonl');
    const started = [
      [11, 'adam'],
      [12, 'bea'],
    ].map(([pid, name]) => ({ t: 1, pid, event: 'started', cwd: `/work/${name}` }));
    const taken = prompts.map(([pid, prompt]) => ({ t: 2, pid, event: 'taken', prompt }));
    await writeFile(witness, [...started, ...taken].map((line) => `${JSON.stringify(line)}\n`).join(''));

    const check = (): void => checkTaken({ witness } as Place);

    if (said === null) expect(check).not.toThrow();
    else expect(check).toThrow(said);
    await rm(directory, { recursive: true });
  },
);
