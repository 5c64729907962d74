// Lends a file to the user of a trial, and to nobody else: what was measured counts only if no other user could write it.
import { appendFile, chmod, chown } from 'node:fs/promises';
import type { Isolation } from '@drover/real-agents';

/** Makes the file if there is none. @param user Null: the present one. */
export async function lendFile(file: string, user: Isolation['user']): Promise<void> {
  await appendFile(file, '', { mode: 0o600 });
  await chmod(file, 0o600);
  if (user !== null) await chown(file, user.uid, user.gid);
}
