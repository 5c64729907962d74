// Runs the tests: `npm test`; with `--extended` those of `npm run test:extended`. Other words behind it (`npm test -- packages/core`) go to
// Vitest, which runs both kinds.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { readReport, REPORT_FILE, REPOSITORY } from './report.ts';
import { SUITES } from './suites.ts';
import { failuresOf, filesForSecondTry, told } from './second-try.ts';

const SECOND_REPORT_FILE = 'node_modules/.cache/test-second-try.json';

const words = process.argv.slice(2);
process.exitCode = await main();

async function main(): Promise<number> {
  if (words.length === 0) return all(SUITES.usual);
  return words[0] === '--extended' && words.length === 1 ? all(SUITES.extended) : vitest(...words);
}

async function all(suite: readonly string[]): Promise<number> {
  rmSync(path.join(REPOSITORY, REPORT_FILE), { force: true });
  const status = await vitest(...suite);
  if (status === 0) return 0;
  const report = readReport();
  // A run without a failed test failed otherwise, such as by an error that no test waited for: Vitest has reported it.
  const first = report === null ? [] : failuresOf(report);
  const files = filesForSecondTry(first);
  if (files.length === 0) {
    console.log(told('failed:', first));
    return status;
  }
  console.log(told('failed, and run once more, alone:', first));
  rmSync(path.join(REPOSITORY, SECOND_REPORT_FILE), { force: true });
  const again = await vitest('--maxWorkers=1', `--outputFile.json=${SECOND_REPORT_FILE}`, ...files);
  const second = readReport(SECOND_REPORT_FILE);
  if (again === 0) console.log(told('passed at the second try only; find out why before anything else:', first));
  else console.log(told('failed twice:', second === null ? first : failuresOf(second)));
  return again;
}

async function vitest(...args: readonly string[]): Promise<number> {
  const child = spawn('vitest', ['run', ...args], { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
