import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { sshWords, tmuxWords } from './programs.ts';

const PLACE = { socket: `/run/o'dd $(id) dir/tmux.sock`, session: 'drover-adam' };

test('given a session of this machine, when it is opened, then its keys reach it only for who types', () => {
  const words = ['tmux', '-u', '-S', PLACE.socket, 'attach-session'];

  expect(tmuxWords(PLACE, { types: true })).toEqual([...words, '-t', '=drover-adam']);
  expect(tmuxWords(PLACE, { types: false })).toEqual([...words, '-f', 'read-only', '-t', '=drover-adam']);
});

test.each([
  ['ada@build-3', ['--', 'ada@build-3']],
  ['build-3:2222', ['-p', '2222', '--', 'build-3']],
  ['ada@[::1]:22', ['-p', '22', '--', 'ada@::1']],
])('given the address %s, when ssh is called, then host and port are where ssh wants them', (address, words) => {
  const all = sshWords(address, PLACE, { types: true });

  expect(all.slice(0, -1)).toEqual(['ssh', '-t', ...words]);
});

test('given odd characters in the place, when the shell of the machine reads the words, then they are the words of tmux', () => {
  const command = sshWords('build-3', PLACE, { types: true }).at(-1) ?? '';

  const read = execFileSync('sh', ['-c', command.replace('exec tmux', "printf '%s\\n' tmux")], {
    encoding: 'utf8',
  });

  expect(read.trimEnd().split('\n')).toEqual(tmuxWords(PLACE, { types: true }));
});
