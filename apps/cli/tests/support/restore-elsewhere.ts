/** Restores a checkpoint of one machine to a worker of another machine. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Ended } from '../../../../tools/fleet/processes.ts';
import type { Sandbox } from '../../../../tools/fleet/sandbox.ts';
import { until } from '../../../../tools/fleet/wait.ts';

const PROMPT = 'ONCE: WRITE draft.txt half an idea\nWAITFILE go\nCOMMIT the whole idea';

/** Results that a person saw. */
export interface Restored {
  readonly recovered: Ended;
  /** The note that no agent wrote, in the worktree of `to`. */
  readonly note: string;
  /** The review of the result by the agent of `to`. */
  readonly review: string;
}

/**
 * Restores the work of `from` to `to`; both workers are idle. `from` begins, its work is saved, and `to` continues it,
 * including uncommitted files. `removes`: `from` is removed from the fleet before, and was the only worker of its
 * machine.
 */
export async function restoreElsewhere(
  sandbox: Sandbox,
  { from, to, removes = false }: { readonly from: string; readonly to: string; readonly removes?: boolean },
): Promise<Restored> {
  const [before, after] = [await worktreeOf(sandbox, from), await worktreeOf(sandbox, to)];
  await sandbox.drover(['start', '--worker', from, '--prompt', PROMPT]);
  await until('the draft', () => existsSync(path.join(before, 'draft.txt')) || undefined);
  await writeFile(path.join(before, 'note.txt'), 'by hand\n');
  const made = JSON.parse((await sandbox.drover(['worker', 'checkpoint', 'create', from, '--json'])).stdout);
  if (removes) {
    await sandbox.drover(['nuke', from, '--force', '--task', 'drop']);
    await until(`"${from}" to be gone`, async () => {
      const workers = await sandbox.ask<readonly { readonly name: string }[]>('workers.list');
      return workers.every(({ name }) => name !== from) || undefined;
    });
  }
  const recovered = await sandbox.drover(['worker', 'recover', to, '--checkpoint', made.shortId]);
  const note = await readFile(path.join(after, 'note.txt'), 'utf8').catch(String);
  await writeFile(path.join(after, 'go'), '');
  await sandbox.until(to, 'needs_review');
  return { recovered, note, review: (await sandbox.drover(['review', to])).stdout };
}

async function worktreeOf(sandbox: Sandbox, name: string): Promise<string> {
  const workers = await sandbox.ask<readonly { readonly name: string; readonly worktree: string }[]>('workers.list');
  const found = workers.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no ${name}`);
  return found.worktree;
}
