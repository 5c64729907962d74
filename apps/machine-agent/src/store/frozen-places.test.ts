/** Checks that the next gateway finds places frozen that the previous one froze, because the host keeps that. */
import { expect, test } from 'vitest';
import { frozenOnHost, type FrozenPlaces } from './frozen-places.ts';

/** Gateway that comes to a host with this disk. */
function comes(disk: Map<string, string>, reads: string[] = []): FrozenPlaces {
  const files = {
    mkdir: () => Promise.resolve(),
    writeFile: (path: string, text: string | Uint8Array) => Promise.resolve(void disk.set(path, String(text))),
    readFile: (path: string) => {
      reads.push(path);
      const text = disk.get(path);
      return Promise.resolve(text === undefined ? undefined : Buffer.from(text));
    },
    removeFile: (path: string) => Promise.resolve(void disk.delete(path)),
  };
  return frozenOnHost(files, '/frozen');
}

test('given a place that a gateway froze, when another gateway comes, then it is frozen for the same move, until one lets the worker in', async () => {
  const disk = new Map<string, string>();
  await comes(disk).freeze('w', 'move');
  const reads: string[] = [];
  const next = comes(disk, reads);

  expect(await next.frozenFor('w')).toBe('move');
  expect(await next.frozenFor('other')).toBeUndefined();
  expect(await next.frozenFor('w')).toBe('move');
  await next.letIn('w');
  expect(await next.frozenFor('w')).toBeUndefined();
  expect(await comes(disk).frozenFor('w')).toBeUndefined();
  // Each place is read once: a command costs no round trip for it.
  expect(reads).toEqual(['/frozen/w', '/frozen/other']);
});

test('given a file that a loss of power has emptied, when a gateway comes, then the place is frozen, and for no move', async () => {
  expect(await comes(new Map([['/frozen/w', '']])).frozenFor('w')).toBe('');
});

test('given a connection that is lost while a place is frozen, when it is asked, then the host says what became of it', async () => {
  const disk = new Map<string, string>();
  const whole = comes(disk);
  expect(await whole.frozenFor('w')).toBeUndefined();
  const cut = frozenOnHost(
    {
      mkdir: () => Promise.resolve(),
      writeFile: (path, text) => {
        disk.set(path, String(text));
        return Promise.reject(new Error('the connection was lost'));
      },
      readFile: (path) => {
        const text = disk.get(path);
        return Promise.resolve(text === undefined ? undefined : Buffer.from(text));
      },
      removeFile: () => Promise.resolve(),
    },
    '/frozen',
  );
  expect(await cut.frozenFor('w')).toBeUndefined();

  await expect(cut.freeze('w', 'move')).rejects.toThrow('lost');

  expect(await cut.frozenFor('w')).toBe('move');
});
