// Parses a TypeScript file of this repository into its parts.
import { globSync } from 'node:fs';
import { parseSync, type Comment, type Program } from 'oxc-parser';
import { REPOSITORY, readText } from './rooms.ts';

export type Source = {
  /** Path from the repository's root, with `/`. */
  readonly file: string;
  readonly text: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
};

/** Parses a text as if it were the file of that name. @throws if it is not TypeScript. */
export function parseSource(file: string, text: string): Source {
  const { program, comments, errors } = parseSync(file, text);
  const [first] = errors;
  if (first !== undefined) throw new Error(`${file}: ${first.message}`);
  return { file, text, program, comments };
}

/**
 * Parses every TypeScript file below the directories that is meant, all unless told, without dependencies, build results and recorded
 * fixtures.
 */
export function sourcesIn(
  directories: readonly string[],
  isMeant: (file: string) => boolean = () => true,
): readonly Source[] {
  const ignored = ['node_modules', 'dist', 'fixtures'];
  return directories
    .flatMap((directory) =>
      globSync(`${directory}/**/*.{ts,tsx}`, { cwd: REPOSITORY, exclude: (name) => ignored.some((it) => name === it) }),
    )
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.split('/').some((part) => ignored.includes(part)) && isMeant(file))
    .toSorted()
    .map((file) => parseSource(file, readText(file)));
}

/** Tests, and what only tests use: fakes and harnesses that a room exports as `./testing`. */
export function isTest(file: string): boolean {
  return /\.test\.tsx?$|\/(tests|testing)\//u.test(file);
}

/** The line of an offset in the text, counted from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', end + 1)) line += 1;
  return line;
}
