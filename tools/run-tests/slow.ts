// Lists the tests of the last run that took longest: `npm run test:slow [COUNT]`, after `npm test`.
import path from 'node:path';
import { readReport, REPOSITORY } from './report.ts';
import type { Report } from './report.ts';

const SHOWN = 20;

const shown = Number(process.argv[2] ?? SHOWN);
const times = readReport();
if (times === null) {
  console.error('No run of the tests has left its times here: run "npm test" first.');
  process.exitCode = 1;
} else if (!Number.isInteger(shown) || shown < 1) {
  console.error(`"${process.argv[2]}" is not a number of tests: give one such as ${SHOWN}.`);
  process.exitCode = 1;
} else {
  print(times, shown);
}

function print({ testResults }: Report, count: number): void {
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, duration }) => ({
      file: path.relative(REPOSITORY, name),
      title,
      ms: duration ?? 0,
    })),
  );
  const totalMs = tests.reduce((sum, { ms }) => sum + ms, 0);
  console.log(`${tests.length} tests took ${seconds(totalMs)} together; the slowest ${count}:`);
  for (const { file, title, ms } of tests.toSorted((one, other) => other.ms - one.ms).slice(0, count))
    console.log(`${seconds(ms).padStart(8)}  ${file}  ${title}`);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
