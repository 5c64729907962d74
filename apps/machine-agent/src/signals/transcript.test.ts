import { expect, test } from 'vitest';
import { isPrompt, saysTheSame, slugOf } from './transcript.ts';

const user = (content: unknown): string => JSON.stringify({ type: 'user', message: { role: 'user', content } });

test("given a user's entry, when its words are those of the prompt, then it is the prompt, however it is wrapped", () => {
  const words = 'Fix the bug\n  in the parser, please';

  expect(isPrompt(user(words), words)).toBe(true);
  expect(isPrompt(user([{ type: 'text', text: 'Fix the bug in the parser, please ' }]), words)).toBe(true);
  expect(isPrompt(user(`<pasted_content>\n${words}\n</pasted_content>`), words)).toBe(true);
});

test('given entries of others that hold the same words, when they are read, then they are no prompt', () => {
  const words = 'Fix the bug in the parser';

  expect(isPrompt(JSON.stringify({ type: 'assistant', message: { content: words } }), words)).toBe(false);
  expect(isPrompt(JSON.stringify({ type: 'last-prompt', lastPrompt: words }), words)).toBe(false);
  expect(isPrompt(user([{ type: 'tool_result', content: words }]), words)).toBe(false);
  expect(isPrompt('{"type":"user","message":{"content":"Fix the', words)).toBe(false);
});

test('given words that a turn took in with the result of a tool, when they are read, then they are the prompt', () => {
  const words = 'Mind the tests';
  const absorbed = { type: 'attachment', attachment: { type: 'queued_command', prompt: words, commandMode: 'prompt' } };
  const waiting = { type: 'queue-operation', operation: 'enqueue', content: words };

  expect(isPrompt(JSON.stringify(absorbed), words)).toBe(true);
  expect(isPrompt(JSON.stringify(waiting), words)).toBe(false);
});

test('given short words inside longer ones, when they are compared, then they are not the same', () => {
  expect(saysTheSame('ok, go on then', 'ok')).toBe(false);
  expect(saysTheSame(' ok ', 'ok')).toBe(true);
  expect(saysTheSame('anything', '')).toBe(false);
});

test.each([
  ['/home/ada/my_project.v2', '-home-ada-my-project-v2'],
  ['/home/ada/Grüße', '-home-ada-Gr--e'],
  // Paths of 200 characters, and of 201.
  [`/home/ada/${'a'.repeat(190)}`, `-home-ada-${'a'.repeat(190)}`],
  [`/home/ada/${'a'.repeat(191)}`, `-home-ada-${'a'.repeat(190)}-izqi29`],
  [`/srv/${'deep/er_'.repeat(30)}end`, `-srv-${'deep-er-'.repeat(30)}`.slice(0, 200) + '-55lp0y'],
])('given the working directory %s, when its conversations are looked for, then their directory is %s', (cwd, slug) => {
  expect(slugOf(cwd)).toBe(slug);
});
