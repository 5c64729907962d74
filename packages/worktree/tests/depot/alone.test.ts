/** Runs one act at a time in a place, those of people first. */
import { expect, test } from 'vitest';
import { alone } from '../../src/depot/alone.ts';

/** Acts in one place, which end when they are let go. */
function place(name: string) {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const enter = (who: string, options: { isFirst?: boolean; signal?: AbortSignal } = {}): Promise<string> =>
    alone(name, { signal: undefined, ...options }, async () => {
      began.push(who);
      await new Promise<void>((resolve) => ends.set(who, resolve));
      return who;
    });
  return { began, enter, end: (who: string) => ends.get(who)?.() };
}

test('given a line of acts, when one comes for which a person waits, then it is next, and the others keep their order', async () => {
  const { began, enter, end } = place('/a');
  const acts = [enter('one'), enter('two'), enter('three'), enter('asked', { isFirst: true })];

  for (const [index, who] of ['one', 'asked', 'two', 'three'].entries()) {
    await expect.poll(() => began).toEqual(['one', 'asked', 'two', 'three'].slice(0, index + 1));
    end(who);
  }

  expect(await Promise.all(acts)).toEqual(['one', 'two', 'three', 'asked']);
});

test('given an act, when one comes for which a person waits, then that act is told, and one for which a person waits itself is not', async () => {
  const told: string[] = [];
  const ends = new Map<string, () => void>();
  const enter = (who: string, isFirst: boolean): Promise<void> =>
    alone('/d', { signal: undefined, isFirst }, async (wanted) => {
      wanted.addEventListener('abort', () => told.push(who));
      await new Promise<void>((resolve) => ends.set(who, resolve));
    });
  const acts = [enter('one', false)];
  await expect.poll(() => [...ends.keys()]).toEqual(['one']);
  acts.push(enter('other', false));
  expect(told).toEqual([]);

  acts.push(enter('asked', true), enter('asked too', true));
  expect(told).toEqual(['one']);
  for (const who of ['one', 'asked', 'asked too', 'other']) {
    await expect.poll(() => ends.has(who)).toBe(true);
    ends.get(who)?.();
  }

  await Promise.all(acts);
  expect(told).toEqual(['one']);
});

test('given acts that wait, when one is cancelled, then it ends at once and is not waited for', async () => {
  const { began, enter, end } = place('/b');
  const cancelling = new AbortController();
  const acts = [enter('one'), enter('two', { signal: cancelling.signal }), enter('three')];
  cancelling.abort();

  await expect(acts[1]).rejects.toMatchObject({ code: 'cancelled' });
  end('one');
  await expect.poll(() => began).toEqual(['one', 'three']);
  end('three');

  expect(await acts[2]).toBe('three');
});

test('given an act that fails, when it has ended, then the next begins', async () => {
  const failing = alone('/c', { signal: undefined }, () => Promise.reject(new Error('no')));
  const next = alone('/c', { signal: undefined }, () => Promise.resolve('next'));

  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('next');
});
