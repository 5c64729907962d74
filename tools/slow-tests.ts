// Which tests of the last run took longest? `npm run test:slow [COUNT]`, after `npm test`.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { TIMES_FILE } from './times-file.ts';

const REPOSITORY = path.join(import.meta.dirname, '..');
const SHOWN = 20;

/** What Vitest's JSON reporter writes, as far as it is read here. Times are milliseconds. */
interface Times {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly title: string; readonly duration?: number | null }[];
  }[];
}

const shown = Number(process.argv[2] ?? SHOWN);
const times = readTimes();
if (times === null) {
  console.error('No run of the tests has left its times here: run "npm test" first.');
  process.exitCode = 1;
} else if (!Number.isInteger(shown) || shown < 1) {
  console.error(`"${process.argv[2]}" is not a number of tests: give one such as ${SHOWN}.`);
  process.exitCode = 1;
} else {
  print(times, shown);
}

function print({ testResults }: Times, count: number): void {
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

function readTimes(): Times | null {
  try {
    return JSON.parse(readFileSync(path.join(REPOSITORY, TIMES_FILE), 'utf8')) as Times;
  } catch {
    return null;
  }
}
