// The peer method of speaking: type, wait for a time that grows with the text, press Enter, and hope.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sleep } from '../wait.ts';

const run = promisify(execFile);

/** Milliseconds before Enter: 500, and 100 more for each KB, at most 2,000. As session managers of this kind do. */
const BASE_MS = 500;
const PER_KB_MS = 100;
const MOST_MS = 2_000;

/** Sends a text to a pane by `send-keys -l`, a fixed wait and Enter. @returns false when tmux refused it. */
export async function sendDebounced(socket: string, pane: string, text: string): Promise<boolean> {
  const keys = (...args: readonly string[]): Promise<unknown> =>
    run('tmux', ['-u', '-S', socket, 'send-keys', '-t', pane, ...args]);
  try {
    await keys('-l', '--', text);
  } catch {
    return false;
  }
  await sleep(Math.min(MOST_MS, BASE_MS + (PER_KB_MS * Buffer.byteLength(text)) / 1_024));
  await keys('Enter');
  return true;
}
