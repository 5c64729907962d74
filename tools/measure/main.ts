/** Prints the measures of the house: `npm run measure`. With `-- --write` they also go into CONTRIBUTING.md. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readText, REPOSITORY } from '../checks/source/rooms.ts';
import { table } from '../docs/table.ts';
import { takeMeasures } from './measures.ts';

const PAGE = 'CONTRIBUTING.md';
/** Finds the table between the two lines, as of the day on which it was written. */
const WRITTEN = /(?<=<!-- Written by `npm run measure -- --write`. -->\n\n)\|[\s\S]*?\n(?=\n<!-- Until here. -->)/u;

const rows = takeMeasures().map(({ of, first, aim, today }) => [of, first, aim, today]);
const page = table(['measure', 'first', 'aim', 'today'], rows);
process.stdout.write(`${page}\n`);
if (process.argv.includes('--write')) {
  const before = readText(PAGE);
  if (!WRITTEN.test(before)) throw new Error(`${PAGE} has no place for the measures`);
  writeFileSync(
    path.join(REPOSITORY, PAGE),
    before.replace(WRITTEN, () => `${page}\n`),
  );
}
