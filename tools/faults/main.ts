// Runs `npm run faults [-- --only WORD]`: checks in a copy of the last commit that a test finds each planted fault.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { REPOSITORY } from '../checks/source/rooms.ts';
import { type Fault, readFaults, staleEdits } from './faults.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const word = values.only.toLowerCase();
const faults = readFaults().filter(({ of, fault }) => `${of} ${fault}`.toLowerCase().includes(word));
const stale = faults.flatMap(staleEdits);

if (faults.length === 0) fail(`No fault has "${values.only}" in its words: see docs/proof/faults.md.`);
else if (stale.length > 0)
  fail(`The product has changed under planted faults; mend tools/faults/faults.jsonl:\n${stale.join('\n')}`);
else play(faults);

function fail(message: string): void {
  console.error(message);
  process.exitCode = 2;
}

function play(played: readonly Fault[]): void {
  const copy = mkdtempSync(path.join(tmpdir(), 'df-'));
  try {
    execFileSync('git', ['clone', '--quiet', REPOSITORY, copy]);
    execFileSync('sh', ['tools/setup.sh'], { cwd: copy, stdio: 'inherit' });
    const tests = [...new Set(played.flatMap((fault) => fault.tests))];
    console.log(`${played.length} faults; first their tests without any`);
    if (!passes(copy, tests)) return fail('A test fails without a fault: mend that first.');
    const missed = played.filter((fault) => !isFound(copy, fault));
    console.log(`${played.length - missed.length} of ${played.length} were found`);
    if (missed.length > 0) process.exitCode = 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function isFound(copy: string, { of, fault, edits, tests }: Fault): boolean {
  const files = [...new Set(edits.map(([file]) => path.join(copy, file)))];
  const before = files.map((file) => readFileSync(file, 'utf8'));
  for (const [file, from, to] of edits) {
    const at = path.join(copy, file);
    // Passes a function as the replacement, so that `$&` in the text is no reference.
    writeFileSync(
      at,
      readFileSync(at, 'utf8').replace(from, () => to),
    );
  }
  const found = !passes(copy, tests);
  for (const [index, file] of files.entries()) writeFileSync(file, before[index] ?? '');
  console.log(`${found ? 'found    ' : 'NOT FOUND'}  ${of}: ${fault}`);
  return found;
}

function passes(copy: string, tests: readonly string[]): boolean {
  const vitest = path.join(copy, 'node_modules/vitest/vitest.mjs');
  return (
    spawnSync(process.execPath, [vitest, 'run', '--bail=1', ...tests], { cwd: copy, stdio: 'ignore' }).status === 0
  );
}
