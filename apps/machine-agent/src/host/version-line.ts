/** Asks a program for its version. */
import type { Host } from '@drover/host';

/** Milliseconds that a program may take to print its version. */
const VERSION_MS = 5_000;

/** @returns the first line of its output; null when there is no such program or it fails. */
export async function versionLine(host: Host, program: string, args: readonly string[]): Promise<string | null> {
  try {
    const outcome = await host.run(program, args, { timeoutMs: VERSION_MS });
    return outcome.status === 0 ? (outcome.stdout.split('\n')[0] ?? '').trim() : null;
  } catch {
    return null;
  }
}
