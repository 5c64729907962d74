import { expect, test } from 'vitest';
import { loadCommands } from './load.ts';

test.each([
  ['status', ['status']],
  ['user', ['user', 'user add', 'user link', 'user mail', 'user remove']],
  ['users', ['user', 'user add', 'user link', 'user mail', 'user remove']],
  ['auth', ['auth login', 'auth logout', 'auth token', 'auth token create', 'auth token edit', 'auth token revoke']],
])('given the word %j, when commands are loaded, then they are those that share it', async (word, names) => {
  expect((await loadCommands(word)).map(({ name }) => name)).toEqual(names);
});

test.each([undefined, '--help', 'help', 'statuss'])(
  'given %j, when commands are loaded, then it is all of them, for the help',
  async (word) => {
    expect((await loadCommands(word)).length).toBeGreaterThan(50);
  },
);
