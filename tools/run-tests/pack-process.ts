/**
 * Packs a program that tests start often, once for each run: from its sources, of some hundred files, it takes three times as much of the
 * processor's time to start. `node tools/run-tests/pack-process.ts FILE DIRECTORY`; the others wait for the first that asks.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { bundleProgram } from '../package/bundle.ts';

/** Milliseconds until another process has packed it on a loaded machine. */
const PACKED_MS = 120_000;
const EVERY_MS = 50;

const [file = '', directory = ''] = process.argv.slice(2);
const making = `${directory}.making`;
const end = performance.now() + PACKED_MS;
while (!existsSync(directory)) {
  if (performance.now() > end) throw new Error(`"${making}" did not become "${directory}" within ${PACKED_MS} ms`);
  if (begins(making)) await pack();
  else await delay(EVERY_MS);
}

function begins(place: string): boolean {
  try {
    mkdirSync(place);
    return true;
  } catch {
    return false; // somebody packs it
  }
}

async function pack(): Promise<void> {
  try {
    await bundleProgram(file, making);
    renameSync(making, directory);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}
