/** The built dashboard: its place, and its build in a checkout. A package holds the built files alone. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Log, messageOf } from '@drover/base';
import { createLocalHost } from '@drover/host';
import type { Surroundings } from '../surroundings.ts';

/** Milliseconds that a build may take on a loaded machine. */
const BUILD_MS = 120_000;

/** Finds the directory of the built files. */
export function dashboardDir(): string {
  return path.join(room(), 'dist');
}

/** Builds the dashboard of a checkout again if its sources have changed. Never rejects: the fleet needs no page. */
export async function buildDashboard(
  { environment }: Surroundings,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  const program = path.join(room(), 'build.ts');
  if (!existsSync(program)) return;
  try {
    const host = createLocalHost({ env: environment.variables });
    const { status, stderr } = await host.run(process.execPath, [program], { timeoutMs: BUILD_MS, signal });
    if (status !== 0) throw new Error(stderr.slice(-2_000));
  } catch (error) {
    if (signal.aborted) return;
    log('warn', `The dashboard could not be built: ${messageOf(error)}`);
  }
}

function room(): string {
  return path.resolve(fileURLToPath(new URL('../../../../apps/dashboard', import.meta.url)));
}
