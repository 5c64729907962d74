/** Completes words in real shells, by the scripts that `drover completion` prints. Without a coordinator there are no live names. */
import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DROVER } from '../../../../tools/fleet/program.ts';

const ENV = {
  PATH: `${path.dirname(DROVER)}:${process.env['PATH'] ?? ''}`,
  LANG: 'C.UTF-8',
  DROVER_URL: 'http://127.0.0.1:1',
};

/** Programs that load the script, type the words of each argument, and print a line for each completion, with an empty one after the last. */
const SHELLS = {
  bash: [
    'bash',
    '--norc',
    '-c',
    'source <(drover completion bash); for typed; do COMP_WORDS=(drover $typed); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _drover; printf "%s\\n" "${COMPREPLY[@]}" ""; done',
    'bash',
  ],
  zsh: [
    'zsh',
    '-f',
    '-c',
    'compdef() { :; }; compadd() { shift 3; print -l -- "$@"; }; _files() { :; }; source <(drover completion zsh); for typed; do words=(drover ${=typed}); CURRENT=${#words}; _drover; print; done',
    'zsh',
  ],
  fish: [
    'fish',
    '--no-config',
    '-c',
    'drover completion fish | source; for typed in $argv; complete -C "drover $typed" | string replace -r "\\t.*" ""; echo; end',
  ],
} as const;

const INSTALLED = (Object.keys(SHELLS) as (keyof typeof SHELLS)[]).filter(
  (shell) => spawnSync(shell, ['-c', ':']).status === 0,
);

test.each(INSTALLED)(
  'given %s, when a word is completed, then commands and options are there, and no errors',
  (shell) => {
    const [program, ...args] = SHELLS[shell];
    const typed = ['sta', 'worker m', 'start --prompt-f'];

    // A shell makes its home where there is none.
    using home = mkdtempDisposableSync(path.join(tmpdir(), 'home-'));
    const env = { ...ENV, HOME: home.path };
    const { stdout, stderr } = spawnSync(program, [...args, ...typed], { env, encoding: 'utf8' });

    expect(stderr).toBe('');
    const completed = stdout.split('\n\n').map((lines) => lines.split('\n').toSorted());
    expect(completed).toEqual([['start', 'status'], ['move'], ['--prompt-file'], ['']]);
  },
);
