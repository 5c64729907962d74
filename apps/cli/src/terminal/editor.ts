/** Lets a person edit a text in their own editor, as git does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandError } from '../exit-codes.ts';
import type { Surroundings } from '../surroundings.ts';

/** @returns the text as it was saved. @throws {CommandError} if there is no editor, or it fails. */
export async function edited(
  { environment }: Pick<Surroundings, 'environment'>,
  { name, text }: { readonly name: string; readonly text: string },
): Promise<string> {
  const { variables } = environment;
  const editor = variables['VISUAL'] ?? variables['EDITOR'];
  if (editor === undefined || editor === '')
    throw new CommandError('usage', 'No editor is set: set EDITOR, or give the changed text with --file FILE');
  const directory = await mkdtemp(path.join(tmpdir(), 'drover-edit-'));
  try {
    const file = path.join(directory, name);
    await writeFile(file, text, { mode: 0o600 });
    // The variable holds a command with its options, so a shell parses it, as with git.
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', env: variables });
    const [status] = (await once(child, 'close')) as [number | null];
    if (status !== 0)
      throw new CommandError('refused', `The editor ended with status ${status ?? 'unknown'}: nothing was sent`);
    return await readFile(file, 'utf8');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
