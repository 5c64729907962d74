/** Checks that the last delivery is read back, and that a file overwritten by another program is reported as damaged. */
import { expect, test } from 'vitest';
import { keptIn } from './kept.ts';
import type { KeptDelivery } from './kept.ts';

const DELIVERY: KeptDelivery = {
  seq: 5,
  textId: 'text',
  notes: {
    incarnation: '1.2.%3.4',
    text: 'SAY hello',
    step: 'typing',
    transcript: null,
    hooks: null,
    wasBusy: false,
    progress: '1',
  },
};

test.each([
  ['nothing', undefined, null],
  ['what was kept', JSON.stringify(DELIVERY), DELIVERY],
  ['half of it', JSON.stringify(DELIVERY).slice(0, 40), 'damaged'],
  ['something else', '{"seq":"five"}', 'damaged'],
])('given a file with %s, when it is read, then that is told', async (_what, text, told) => {
  const files = {
    mkdir: nothing,
    writeFile: nothing,
    removeFile: nothing,
    readFile: () => Promise.resolve(bytesOf(text)),
  };

  expect(await keptIn(files, '/d').last('w')).toEqual(told);
});

function bytesOf(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : Buffer.from(text);
}

function nothing(): Promise<void> {
  return Promise.resolve();
}
