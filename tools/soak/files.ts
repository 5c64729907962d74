// Files of JSON lines, whose writer may be killed at any moment.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { z } from 'zod';

/** Adds a line. */
export function addLine(file: string, line: unknown): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/**
 * Reads the lines of a file; none while the file does not exist. Leaves out a line that its writer was killed in the middle of.
 *
 * @param has Only lines with these words in them.
 * @throws when a whole line is not as expected.
 */
export function linesOf<T>(file: string, schema: z.ZodType<T>, has = ''): readonly T[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}') && line.includes(has))
    .map((line) => schema.parse(JSON.parse(line)));
}
