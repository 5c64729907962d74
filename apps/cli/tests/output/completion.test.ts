/** Completes words in real shells, by the scripts that `drover completion` prints. Without a coordinator there are no live names. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const BIN = path.resolve(import.meta.dirname, '../../../../bin');
const ENV = {
  PATH: `${BIN}:${process.env['PATH'] ?? ''}`,
  HOME: '/nonexistent',
  LANG: 'C.UTF-8',
  DROVER_URL: 'http://127.0.0.1:1',
};

/** Programs that load the script, type the given words, and print a line for each completion. */
const SHELLS = {
  bash: [
    'bash',
    '--norc',
    '-c',
    'source <(drover completion bash); COMP_WORDS=(drover "$@"); COMP_CWORD=$#; _drover; printf "%s\\n" "${COMPREPLY[@]}"',
    'bash',
  ],
  zsh: [
    'zsh',
    '-f',
    '-c',
    'compdef() { :; }; compadd() { shift 3; print -l -- "$@"; }; _files() { :; }; source <(drover completion zsh); words=(drover "$@"); CURRENT=${#words}; _drover',
    'zsh',
  ],
  fish: [
    'fish',
    '--no-config',
    '-c',
    'drover completion fish | source; complete -C (string join " " -- drover $argv) | string replace -r "\\t.*" ""',
  ],
} as const;

const INSTALLED = (Object.keys(SHELLS) as (keyof typeof SHELLS)[]).filter(
  (shell) => spawnSync(shell, ['-c', ':']).status === 0,
);

test.each(INSTALLED)(
  'given %s, when a word is completed, then commands and options are there, and no errors',
  (shell) => {
    const [program, ...args] = SHELLS[shell];
    const completed = (...words: readonly string[]): readonly string[] => {
      const { stdout, stderr } = spawnSync(program, [...args, ...words], { env: ENV, encoding: 'utf8' });
      expect(stderr).toBe('');
      return stdout.split('\n').filter((line) => line !== '');
    };

    expect(completed('sta').toSorted()).toEqual(['start', 'status']);
    expect(completed('worker', 'm')).toEqual(['move']);
    expect(completed('start', '--prompt-f')).toEqual(['--prompt-file']);
  },
);
