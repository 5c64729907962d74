import { expect, test } from 'vitest';
import type { Surroundings } from '../surroundings.ts';
import { openProgress } from './progress.ts';
import { openLiveLine } from './terminal.ts';

/** Makes surroundings in which `pass` lets a second pass. */
function waiting(isLive: boolean) {
  const shown: string[] = [];
  let now = 0;
  let slept = Promise.withResolvers<void>();
  const surroundings = {
    terminal: { isLive, showProgress: (text: string) => void shown.push(text) },
    now: () => now,
    sleep: (_ms: number, signal?: AbortSignal) => {
      signal?.addEventListener('abort', () => slept.resolve());
      return slept.promise;
    },
  } as unknown as Surroundings;
  const pass = async (): Promise<void> => {
    now += 1_000;
    slept.resolve();
    slept = Promise.withResolvers<void>();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { shown, surroundings, pass };
}

test('given a wait on a terminal, when seconds pass, then the line says what it waits for and how long, and goes at the end', async () => {
  const { shown, surroundings, pass } = waiting(true);
  let what = 'adam: starting';
  {
    using _ = openProgress(surroundings, () => what);
    await pass();
    what = 'adam: ready';
    await pass();
  }
  await pass();

  expect(shown).toEqual(['adam: starting … 1s', 'adam: ready … 2s', '']);
});

test('given a wait that is over at once, when it ends, then nothing was shown', () => {
  const { shown, surroundings } = waiting(true);
  openProgress(surroundings, () => 'adam')[Symbol.dispose]();

  expect(shown).toEqual(['']);
});

test('given a pipe, or JSON, when seconds pass, then nothing is shown', async () => {
  const { shown, surroundings, pass } = waiting(false);
  using _ = openProgress(surroundings, () => 'adam');
  await pass();

  expect(shown).toEqual([]);
});

test('given a line that is shown, when output follows, then the line is cleared before it, and only once', () => {
  const written: string[] = [];
  const line = openLiveLine({ write: (text) => void written.push(text), columns: () => 12 });

  line.clear();
  line.show('merging adam\u001b[2J … 3s');
  line.show('');
  line.clear();

  expect(written).toEqual(['\rmerging adam…\u001b[K'.replace('adam…', 'ad…'), '\r\u001b[K']);
});
