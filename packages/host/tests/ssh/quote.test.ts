/** Checks that every byte reaches a program of another machine unchanged, whatever shell reads the line. */
import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { bootstrap } from '../../src/ssh/shell/bootstrap.ts';
import { firstLine, lastLine, markedLine, programBody } from '../../src/ssh/shell/lines.ts';
import { quote, quoteFormat } from '../../src/ssh/shell/quote.ts';
import { programPath } from '../../src/testing/index.ts';
import { needs } from './needs.ts';

const EVERY_BYTE = Buffer.from(Array.from({ length: 255 }, (_, at) => at + 1));
const setup = { environment: { NAME: 'é\nb' }, fence: undefined };
const owner = { machine: 'm', connection: 'l' };

/** Lines for a waiting shell, run by it. */
function run(shell: readonly string[], lines: readonly Buffer[]): Buffer {
  const [program = '', ...args] = shell;
  const input = Buffer.concat([firstLine('MARK', setup), ...lines]);
  return spawnSync(program, [...args, '-c', bootstrap(owner)], { input, timeout: 60_000 }).stdout;
}

function between(output: Buffer): Buffer {
  const start = output.indexOf('MARK<\n') + 'MARK<\n'.length;
  return output.subarray(start, output.indexOf('MARK>'));
}

test('given a NUL in an argument, when it is quoted, then it is refused: no program could get it', () => {
  expect(() => quote('a\0b')).toThrow(RangeError);
});

test('given any bytes, when the system’s shell prints them quoted, then they are the same', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ min: 1, maxLength: 40 }), { minLength: 1, maxLength: 20 }), (words) => {
      const body = Buffer.concat(words.flatMap((word) => [Buffer.from(' '), quote(word)]));
      const line = Buffer.concat([Buffer.from('printf "%s|"'), body, Buffer.from('\n')]);
      const expected = Buffer.concat(words.flatMap((word) => [Buffer.from(word), Buffer.from('|')]));
      const told = execFileSync(
        '/bin/sh',
        ['-c', 'LC_ALL=C; _dn=$(printf "\\n_"); _dn=${_dn%_}; IFS= read -r l; eval "$l"'],
        { input: line },
      );
      expect(told.equals(expected)).toBe(true);
    }),
    { numRuns: 20 },
  );
});

describe.each([
  ['sh', ['/bin/sh']],
  ['bash', ['bash']],
  ['zsh', ['zsh']],
  ['fish', ['fish']],
  ['tcsh', ['tcsh']],
  ['busybox', ['busybox', 'sh']],
] as const)('a login shell %s', (name, shell) => {
  needs(name, programPath(shell[0] === '/bin/sh' ? 'sh' : shell[0]), () => {
    test('given every byte from 1 to 255 as an argument, when a program gets it, then it is exact', () => {
      const body = programBody({ program: 'printf', args: ['%s', EVERY_BYTE.toString('latin1')] });

      const output = run(shell, [markedLine(body)]);

      expect(between(output).toString()).toBe(EVERY_BYTE.toString('latin1'));
    });

    test('given every byte from 0 to 255 as input, when a program reads it from the line or behind it, then it is exact', () => {
      const bytes = Buffer.concat([Buffer.from([0]), EVERY_BYTE, Buffer.from('%s\\n%%')]);
      const body = programBody({ program: 'cat', args: [] });

      expect(between(run(shell, [markedLine(body, { kind: 'bytes', bytes })])).equals(bytes)).toBe(true);
      expect(between(run(shell, [markedLine(body, { kind: 'rest' }), bytes])).equals(bytes)).toBe(true);
      const output = run(shell, [lastLine(body), bytes]);
      expect(output.subarray(output.indexOf('MARK<\n') + 6).equals(bytes)).toBe(true);
    });

    test('given a variable of two lines, when a program inherits it, then it is exact, and the shell’s own locale is not handed on', () => {
      const body = programBody({ program: 'sh', args: ['-c', 'printf "%s|%s" "$NAME" "${LC_ALL-none}"'] });

      expect(between(run(shell, [markedLine(body)])).toString()).toBe('é\nb|none');
    });
  });
});

test('given bytes for printf, when they are written, then no byte of them can end the word or the line', () => {
  const text = quoteFormat(Buffer.concat([Buffer.from([0]), EVERY_BYTE])).toString('latin1');

  expect(text.slice(1, -1)).not.toMatch(/['\n%]/u);
});

test('given the command that starts a shell, when it is read, then it has nothing that a login shell reads in its own way', () => {
  const [, quoted = ''] = /'(.*)'/u.exec(bootstrap(owner)) ?? [];

  expect(quoted).not.toMatch(/['!\n]|\\\\/u);
});
