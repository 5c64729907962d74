/** Tests the doctor's findings on the age of backups, and without a root. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readEnvironment } from '@drover/config/surroundings';
import { expect, test } from 'vitest';
import { examineRootless, tellBackups } from './here.ts';

const NOW = 100 * 86_400_000;

function backup(name: string, days: number): { name: string; takenAt: number; bytes: number } {
  return { name, takenAt: NOW - days * 86_400_000, bytes: 5 * 1024 ** 2 };
}

test('given no backup, when the doctor looks, then it says how the first one comes to be', () => {
  expect(tellBackups([], NOW)).toMatchObject([{ level: 'warning', help: 'drover up' }]);
});

test('given a backup of yesterday and an old one, when the doctor looks, then nothing is wrong with either', () => {
  expect(tellBackups([backup('b', 1), backup('a', 6)], NOW)).toMatchObject([
    { about: 'backup b', level: 'ok', says: '1d ago, 5.0 MiB' },
    { about: 'backup a', level: 'ok', says: '6d ago, 5.0 MiB' },
  ]);
});

test('given a newest backup of three days ago, when the doctor looks, then it warns of that one alone', () => {
  expect(tellBackups([backup('b', 3), backup('a', 6)], NOW)).toMatchObject([
    { about: 'backup b', level: 'warning', help: 'drover up' },
    { about: 'backup a', level: 'ok', help: null },
  ]);
});

test('given no root, when the doctor looks, then that is a problem only for who has no fleet elsewhere', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'doctor-'));
  try {
    const environment = {
      ...readEnvironment(),
      url: undefined,
      home,
      variables: { HOME: home, DROVER_DATA_DIR: home },
      dataDir: home,
    };
    const found = (url?: string) =>
      examineRootless({ environment: { ...environment, url }, rootProblem: 'There is no drover.toml' });

    const alone = await found();
    const elsewhere = await found('https://drover.example.com');
    await mkdir(path.join(home, 'agent'));
    const joined = await found();

    expect(alone).toMatchObject({ level: 'problem', says: 'There is no drover.toml', help: 'drover init' });
    expect(elsewhere).toMatchObject({ level: 'ok', says: expect.stringContaining('drover.example.com') });
    expect(joined).toMatchObject({ level: 'ok', says: expect.stringContaining('has joined a fleet') });
  } finally {
    await rm(home, { recursive: true });
  }
});
