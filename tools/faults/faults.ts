/** Faults that are planted on purpose, one a line of faults.jsonl, and the page that lists them. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readText, REPOSITORY } from '../checks/source/rooms.ts';
import { table } from '../docs/table.ts';
import { EXTENDED_END, NIGHTLY_END } from '../run-tests/suites.ts';

/** The lines, from the repository's root: one line for each fault, so that a change shows which. */
export const FAULTS_FILE = 'tools/faults/faults.jsonl';

/** The generated page, from the repository's root. */
export const FAULTS_PAGE = 'docs/proof/faults.md';

/** A fault, and the cheapest tests that find it. */
export interface Fault {
  /** Subject of the fault, such as `paths`. */
  readonly of: string;
  /** Description of what the product does wrong with the fault. */
  readonly fault: string;
  /** Text that stands once in a file, and what stands there instead. */
  readonly edits: readonly (readonly [file: string, from: string, to: string])[];
  /** Files or folders of tests of which one fails. */
  readonly tests: readonly string[];
}

/** All of them, in the order of the file. */
export function readFaults(): readonly Fault[] {
  return readText(FAULTS_FILE)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Fault);
}

/** Edits whose text does not stand exactly once in its file any more. */
export function staleEdits({ edits }: Fault): readonly string[] {
  return edits
    .filter(([file, from]) => readText(file).split(from).length !== 2)
    .map(([file, from]) => `${file} has not exactly one ${JSON.stringify(from.slice(0, 80))}`);
}

/** The page's whole text. A check holds the file in the repository to it. */
export function faultsPage(): string {
  const rows = readFaults().map(({ of, fault, tests }) => [of, fault, suiteOf(tests), tests.map(named).join(', ')]);
  return `${HEAD}\n\n${table(['of', 'fault planted', 'found by', 'in'], rows)}\n`;
}

function suiteOf(tests: readonly string[]): string {
  const byDay = tests.filter((file) => !file.endsWith(NIGHTLY_END));
  if (byDay.length === 0) return '`npm run nightly`';
  return byDay.every((file) => file.endsWith(EXTENDED_END)) ? '`npm run test:extended`' : '`npm test`';
}

function named(file: string): string {
  return `[${path.basename(file)}](../../${file})`;
}

const HEAD = `# Faults that were planted, and the tests that find them

<!-- Written by \`npm run docs\` from tools/faults/faults.jsonl: change it there. -->

A cure has a test that was seen to fail without it. Each row is a cure taken out of the product, and where that shows. \`npm run faults\` plants them one after
the other in a copy of the checkout and says which are found; \`npm run faults -- --only paths\` plays those of one subject.

A layer that finds no row alone is not played at each change. Completion by real shells and rarer
commands of a machine belong to \`npm run test:extended\`; most scenes of recovery, the queue by the command line, two clocks apart, kills of
\`drover up\`, odd inputs and the histories of settings to \`npm run nightly\`; a removed machine with a task, a connection
that a newer one ends, and each damage of a parcel are shown by the tests beside them, without a scene of their own. Properties play as many histories as find the
faults that \`planted.property.extended.test.ts\` plants in the policy.`;

if (process.argv[1] === import.meta.filename) writeFileSync(path.join(REPOSITORY, FAULTS_PAGE), faultsPage());
