// Checks that all output for people passes the one door to the terminal.
import { expect, test } from 'vitest';
import { parseSource } from '../source/source.ts';
import { terminalProblems } from './terminal-writes.ts';

test.each([
  "process.stdout.write('x');",
  'const out = process.stderr;',
  "process['stdout'].write('x');",
  'const { stdout } = process;',
  "console.log('x');",
  "spawn('git', [], { stdio: 'inherit' });",
  "spawn('git', [], { stdio: ['ignore', 'inherit', 'pipe'] });",
  "writeSync(1, 'x');",
  "fs.writeFileSync(2, 'x');",
  "open('/dev/tty', 'w');",
])('given a file of the CLI, when it says %j, then that is a problem', (text) => {
  expect(terminalProblems(parseSource('apps/cli/src/a.ts', text))).not.toEqual([]);
});

test.each(["terminal.out('x');", 'process.exitCode = 1;', "writeSync(file, 'x');", "await writeFile(name, '1');"])(
  'given a file of the CLI, when it says %j, then that is fine',
  (text) => {
    expect(terminalProblems(parseSource('apps/cli/src/a.ts', text))).toEqual([]);
  },
);
