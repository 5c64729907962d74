/** Asks a program for its version. */
import type { Host } from '@drover/host';

/**
 * Milliseconds that a program may take to print its version. OpenCode 1.18.33 needs 1.5 s of a processor for it, and took 7 s beside other work.
 * A start waits for the answer, and has 30 s (`open` of the policy).
 */
const VERSION_MS = 20_000;

/** Answer of a program that was asked. `failed`: it ended by itself, without a version; `silent`: no answer in time, or it was killed. */
export type VersionAnswer =
  | { readonly kind: 'told'; readonly line: string }
  | { readonly kind: 'failed' }
  | { readonly kind: 'silent' };

export async function askVersion(host: Host, program: string, args: readonly string[]): Promise<VersionAnswer> {
  try {
    const { status, stdout } = await host.run(program, args, { timeoutMs: VERSION_MS });
    if (status === 0) return { kind: 'told', line: (stdout.split('\n')[0] ?? '').trim() };
    return { kind: status === undefined ? 'silent' : 'failed' };
  } catch {
    return { kind: 'silent' };
  }
}

/** @returns the first line of its output; null when there is no such program or it fails. */
export async function versionLine(host: Host, program: string, args: readonly string[]): Promise<string | null> {
  const answer = await askVersion(host, program, args);
  return answer.kind === 'told' ? answer.line : null;
}
