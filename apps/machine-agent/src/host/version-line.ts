/** Asks a program for its version. */
import type { Host } from '@drover/host';

/**
 * Milliseconds that a program may take to print its version. OpenCode 1.18.33 needs 1.5 s of a processor for it, and took 7 s beside other work.
 * A start waits for the answer, and has 30 s (`open` of the policy).
 */
const VERSION_MS = 20_000;

/** @returns the first line of its output; null when there is no such program or it fails. */
export async function versionLine(host: Host, program: string, args: readonly string[]): Promise<string | null> {
  try {
    const outcome = await host.run(program, args, { timeoutMs: VERSION_MS });
    return outcome.status === 0 ? (outcome.stdout.split('\n')[0] ?? '').trim() : null;
  } catch {
    return null;
  }
}
