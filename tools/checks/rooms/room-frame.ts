// Checks a room's frame: three lines of README, a small door, the shared compiler options.
import type { Manifest } from '../source/rooms.ts';

/** Doors that a room may have: itself, and its fakes and harnesses for the tests of others. */
const DOORS = ['.', './testing'];

/** Doors beside these, with their reasons. */
const OTHER_DOORS: Readonly<Record<string, readonly string[]>> = {
  // A command that reads no configuration must not wait for its schema: bench/status.
  // Only what serves machines over SSH loads the library for it.
  'apps/machine-agent': ['./gateway'],
  'packages/config': ['./surroundings'],
  // A hook at the end of an agent's turn reads a result, and must not load all of the policy.
  // A page in a browser, and a command at its start, quote words for a shell and no more.
  'packages/core': ['./tool-failures', './hidden-characters', './results', './shell-word'],
  // A bot that only shows cards must not load every message of machines, which would cost memory. Code that speaks to this machine alone must
  // not load a library for SSH.
  'packages/host': ['./ssh'],
  // A page in a browser reads a diff and needs no schema.
  'packages/protocol': ['./channels', './connection-failure', './diff-lines', './loopback', './results'],
  // A test of real parts has no use for a simulated machine.
  'packages/testkit': ['./network'],
};

/** Parts of a room that a check of its frame looks at. */
export type Frame = {
  readonly directory: string;
  readonly manifest: Manifest;
  /** README.md of the room; null if there is none. */
  readonly readme: string | null;
  readonly hasTsconfig: boolean;
};

/** Says, one line each, what a room's frame lacks. */
export function frameProblems({ directory, manifest, readme, hasTsconfig }: Frame): readonly string[] {
  const problems: string[] = [];
  const isApart = directory === 'tools' || directory === 'bench';
  const name = `@drover/${directory.split('/').at(-1)}`;
  if (manifest.name !== name) problems.push(`package.json: the name is ${manifest.name}, expected ${name}`);
  if (manifest.private !== true) problems.push('package.json: not private');
  if (manifest.type !== 'module') problems.push('package.json: the type is not "module"');
  const doors = Object.keys(manifest.exports);
  if (!isApart && !doors.includes('.')) problems.push('package.json: does not export "."');
  const allowed = [...DOORS, ...(OTHER_DOORS[directory] ?? [])];
  for (const door of doors.filter((it) => !allowed.includes(it))) {
    problems.push(`package.json: exports ${door}; this room has the doors ${allowed.join(', ')} and no other`);
  }
  if (hasTsconfig)
    problems.push('tsconfig.json: all rooms have the options of the one at the top, and none of their own');
  return [...problems, ...readmeProblems(readme)].map((problem) => `${directory}/${problem}`);
}

function readmeProblems(readme: string | null): string[] {
  if (readme === null) return ['README.md: missing'];
  // A title may stand above the three lines, and sections for users of the room below them.
  const [top = ''] = readme.replace(/^# .*\n/u, '').split(/^## /mu);
  const [does, never, importers, ...more] = top.split('\n').filter((line) => line.trim() !== '');
  if (does === undefined || never === undefined || importers === undefined || more.length > 0) {
    return ['README.md: expected three lines: what it does, what it never does, who may import it'];
  }
  const problems: string[] = [];
  if (!/\bnever\b/iu.test(never)) problems.push('README.md: the second line does not say what the room never does');
  if (!/\bimport/iu.test(importers)) problems.push('README.md: the third line does not say who may import it');
  return problems;
}
