/** The commit of this build. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Commit of a package, which the bundler puts in the place of the name. */
declare const DROVER_COMMIT: string | undefined;

/** Milliseconds that git may take in a checkout. */
const GIT_MS = 2_000;

/** Returns the version with its commit, such as `0.1.0 (76292bd8a1c4)`; a checkout with changes ends in `-dirty`. */
export async function versionText(version: string): Promise<string> {
  const commit = typeof DROVER_COMMIT === 'string' ? DROVER_COMMIT : await commitOfCheckout();
  return commit === null ? version : `${version} (${commit})`;
}

async function commitOfCheckout(): Promise<string | null> {
  const args = ['-C', import.meta.dirname, 'describe', '--always', '--abbrev=12', '--dirty', '--exclude=*'];
  const told = await promisify(execFile)('git', args, { timeout: GIT_MS }).catch(() => null);
  return told === null ? null : told.stdout.trim();
}
