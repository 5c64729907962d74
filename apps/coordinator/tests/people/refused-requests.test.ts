/** A request that cannot be carried out is refused in words. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, callAs, newId, scene, until } from '../support/coordinator.ts';

/** Shared by all tests: a refused request changes nothing. */
let url: string;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  ({ url } = stack.use(await scene()).coordinator);
  await call(url, 'workers.add', { requestId: newId(), name: 'adam' });
  await until(url, 'adam', 'idle');
  await call(url, 'workers.start', { requestId: newId(), prompt: 'make it so' });
  await until(url, 'adam', 'needs_review');
});
afterAll(() => stack.disposeAsync());

test('given a wrong token, when a call shows it, then the answer says what to do', async () => {
  const asking = callAs({ url, token: 'not-the-token-at-all-really' }, 'workers.list');

  await expect(asking).rejects.toThrow('The token is wrong or has expired');
});

test.each([
  ['an unknown worker', 'workers.message', { name: 'nobody', text: 'hello' }, 'There is no worker "nobody"'],
  ['a bad name', 'workers.add', { name: 'Not A Name' }, "cannot be a worker's name"],
  ['an empty prompt', 'workers.start', { prompt: '  ' }, 'The prompt is empty'],
  ['a prompt of 2 MiB', 'workers.start', { prompt: 'x'.repeat(2 << 20) }, 'larger than'],
  ['a task for a busy worker', 'workers.start', { name: 'adam', prompt: 'more' }, 'needs_review, not idle'],
  ['a name that is taken', 'workers.add', { name: 'adam' }, 'The worker "adam" already exists'],
  ['an unknown profile', 'workers.add', { name: 'eve', profile: 'none' }, 'There is no agent profile "none"'],
  ['the removal of unmerged work', 'workers.nuke', { name: 'adam', force: false }, 'has work that is not merged'],
])('given %s, when it is requested, then it is refused in words', async (_what, path, input, words) => {
  await expect(call(url, path, { requestId: newId(), ...input })).rejects.toThrow(words);
});
