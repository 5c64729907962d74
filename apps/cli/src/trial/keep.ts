/** Keeps a screen with its label, in the two files that `drover debug screen test` reads. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@drover/base';
import { CommandError } from '../exit-codes.ts';

/** A screen with what is said of it. */
export interface Kept {
  /** Text of `tmux capture-pane -p -e`. */
  readonly ansi: string;
  /** The `.json`: program, label, and tmux's facts of the pane. */
  readonly file: Readonly<Record<string, string>>;
}

/**
 * Writes `BASE.ansi` and `BASE.json`.
 *
 * @param replace Whether files of that name may be there.
 * @throws {CommandError} `environment` if they cannot be written.
 */
export async function keepScreen(base: string, { ansi, file }: Kept, { replace }: { replace: boolean }): Promise<void> {
  const flag = replace ? 'w' : 'wx';
  try {
    await mkdir(path.dirname(base), { recursive: true });
    await writeFile(`${base}.ansi`, ansi, { flag });
    await writeFile(`${base}.json`, `${JSON.stringify(file, null, 1)}\n`, { flag });
  } catch (error) {
    const why = messageOf(error);
    throw new CommandError('environment', `Cannot write ${base}.ansi and .json: ${why}`, { cause: error });
  }
}
