/** Checks that the next gateway knows the conversation names of the previous one, which are kept on the host. */
import { expect, test } from 'vitest';
import { keepProgramId, namesOnHost, programIdOf, type ConversationNames } from './conversation-names.ts';

/** Gateway that comes to a host with this disk. */
function comes(disk: Map<string, string>, { reads = [] as string[], isCut = false } = {}): ConversationNames {
  const files = {
    mkdir: () => Promise.resolve(),
    writeFile: (path: string, text: string | Uint8Array) => {
      disk.set(path, String(text));
      return isCut ? Promise.reject(new Error('the connection was lost')) : Promise.resolve();
    },
    readFile: (path: string) => {
      reads.push(path);
      const text = disk.get(path);
      return Promise.resolve(text === undefined ? undefined : Buffer.from(text));
    },
    removeFile: (path: string) => Promise.resolve(void disk.delete(path)),
  };
  return namesOnHost(files, '/names');
}

test('given a pane that went on under another name, when another gateway comes, then it knows which conversation is meant, until the worker is removed', async () => {
  const disk = new Map<string, string>();
  await comes(disk).name('w', 'wanted', 'actual');
  const reads: string[] = [];
  const next = comes(disk, { reads });

  expect(await next.named('w', 'wanted')).toBe('actual');
  expect(await next.named('w', 'other')).toBe('other');
  expect(await next.named('x', 'wanted')).toBe('wanted');
  // A start costs one round trip for each worker, once.
  expect(reads).toEqual(['/names/w.json', '/names/x.json']);
  await next.name('w', 'later', 'actual');
  await next.name('w', 'wanted', 'another');
  expect(await comes(disk).named('w', 'later')).toBe('actual');
  expect(await comes(disk).named('w', 'wanted')).toBe('another');

  await next.forget('w');
  expect(await next.named('w', 'wanted')).toBe('wanted');
  expect(disk.size).toBe(0);
});

test('given a name that is its own conversation, when it is named, then nothing is written; and where it was another one, that is put right', async () => {
  const disk = new Map<string, string>();
  const names = comes(disk);
  await names.name('w', 'one', 'one');
  expect(disk.size).toBe(0);

  await names.name('w', 'one', 'two');
  await names.name('w', 'one', 'one');
  expect(await comes(disk).named('w', 'one')).toBe('one');
});

test('given a hundred names of one worker, when they are kept, then the newest fifty are', async () => {
  const disk = new Map<string, string>();
  const names = comes(disk);
  for (let at = 0; at < 100; at += 1) await names.name('w', `name-${at}`, 'actual');

  expect(await comes(disk).named('w', 'name-99')).toBe('actual');
  expect(await comes(disk).named('w', 'name-50')).toBe('actual');
  expect(await comes(disk).named('w', 'name-49')).toBe('name-49');
});

test.each(['', '{', '{"a":1}', '[{"wanted":"wanted"}]', `[{"wanted":"wanted","actual":"${'x'.repeat(300)}"}]`])(
  'given a file with %j, when a gateway comes, then it holds no names',
  async (text) => {
    expect(await comes(new Map([['/names/w.json', text]])).named('w', 'wanted')).toBe('wanted');
  },
);

test('given a connection that is lost while a name is written, when it is asked for, then the host says what became of it', async () => {
  const disk = new Map<string, string>();
  const names = comes(disk, { isCut: true });
  expect(await names.named('w', 'wanted')).toBe('wanted');

  await expect(names.name('w', 'wanted', 'actual')).rejects.toThrow('lost');

  expect(await names.named('w', 'wanted')).toBe('actual');
});

test('given the id that a program gave to a conversation, when another gateway comes, then it knows it, and the name of the conversation is the same as before', async () => {
  const disk = new Map<string, string>();
  const names = comes(disk);
  await keepProgramId(names, 'w', { conversation: 'ours', id: 'ses_1a' });
  await keepProgramId(names, 'w', { conversation: 'ours', id: '019a-22' });

  expect(await programIdOf(comes(disk), 'w', 'ours')).toBe('019a-22');
  expect(await programIdOf(comes(disk), 'w', 'other')).toBeNull();
  expect(await comes(disk).named('w', 'ours')).toBe('ours');
});

test.each(['--dangerously-bypass-approvals-and-sandbox', '-x', '', 'a b', '../up', 'a;b', 'x'.repeat(101)])(
  'given a program that says its conversation is %j, when it is kept, then it never becomes a word of a start',
  async (id) => {
    const disk = new Map<string, string>();
    await keepProgramId(comes(disk), 'w', { conversation: 'ours', id });
    disk.set('/names/v.json', JSON.stringify([{ wanted: 'program:ours', actual: id }]));

    expect(await programIdOf(comes(disk), 'w', 'ours')).toBeNull();
    expect(await programIdOf(comes(disk), 'v', 'ours')).toBeNull();
  },
);
