/** What does the doctor say of the age of backups? */
import { expect, test } from 'vitest';
import { tellBackups } from './here.ts';

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
