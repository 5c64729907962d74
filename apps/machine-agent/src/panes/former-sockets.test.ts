import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalHost } from '@drover/host';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeOverSockets } from './former-sockets.ts';

let directory: string;
let from: string;
let to: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sockets-'));
  [from, to] = [join(directory, 'former'), join(directory, 'new')];
});
afterEach(() => rmSync(directory, { recursive: true }));

async function take(): Promise<readonly string[]> {
  const said: string[] = [];
  await takeOverSockets(createLocalHost({ env: {} }), { formerRuntimeDir: from, runtimeDir: to }, (_, words) => {
    said.push(words);
  });
  return said;
}

test('given sockets of a former build and an empty directory, when they are taken over, then they are in the new one', async () => {
  for (const place of [from, to]) mkdirSync(place);
  writeFileSync(join(from, 'tmux.sock'), '');

  expect(await take()).toEqual([]);

  expect(readdirSync(to)).toEqual(['tmux.sock']);
  expect(readdirSync(directory)).toEqual(['new']);
});

test('given no former sockets, or new ones already, when they are taken over, then nothing changes', async () => {
  mkdirSync(to);
  writeFileSync(join(to, 'tmux.sock'), 'new');

  expect(await take()).toEqual([]);
  mkdirSync(from);
  writeFileSync(join(from, 'other'), '');
  expect(await take()).toEqual([]);

  expect(readdirSync(to)).toEqual(['tmux.sock']);
  expect(readdirSync(from)).toEqual(['other']);
});
