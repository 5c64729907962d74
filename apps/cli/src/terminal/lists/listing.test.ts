import { expect, test } from 'vitest';
import type { Surroundings } from '../../surroundings.ts';
import { answerList, listingText } from './listing.ts';
import type { Listing } from './listing.ts';
import { renderText } from '../style.ts';
import type { Terminal } from '../terminal.ts';

interface Ship {
  readonly name: string;
  readonly crew: number;
}

const SHIPS: Listing<Ship> = {
  empty: 'There are no ships.',
  nameOf: ({ name }) => name,
  columns: [
    { name: 'NAME', of: ({ name }) => name },
    { name: 'CREW', isWide: true, of: ({ crew }) => String(crew) },
    { name: 'NOTE', of: () => 'sails under a flag of its own' },
  ],
  below: (ships) => [`${ships.length} in all`],
};
const FLEET: readonly Ship[] = [
  { name: '日本丸', crew: 190 },
  { name: 'Eagle', crew: 150 },
];

function terminal(patch: Partial<Terminal>): Terminal {
  return { colours: false, columns: 30, json: false, quiet: false, wide: false, ...patch } as Terminal;
}

function printed(patch: Partial<Terminal>): readonly string[] {
  const lines: string[] = [];
  const shown = terminal({ ...patch, out: (text) => lines.push(renderText(text)) });
  answerList({ terminal: shown, now: () => 0 } as Surroundings, FLEET, SHIPS);
  return lines.flatMap((text) => text.split('\n'));
}

test('given names of double width, when they are listed, then columns stand below each other and lines end at the edge', () => {
  expect(printed({})).toEqual([
    'NAME    NOTE',
    '日本丸  sails under a flag of…',
    'Eagle   sails under a flag of…',
    '2 in all',
  ]);
});

test('given --wide, when a list is printed, then all columns are there and nothing is cut', () => {
  expect(printed({ wide: true })[1]).toBe('日本丸  190   sails under a flag of its own');
});

test('given --quiet, when a list is printed, then it is the names alone', () => {
  expect(printed({ quiet: true })).toEqual(['日本丸', 'Eagle']);
});

test('given --json and --quiet, when a list is printed, then it is all data', () => {
  expect(printed({ json: true, quiet: true })).toEqual([JSON.stringify(FLEET)]);
});

test('given no rows, when a list is printed, then it is a sentence without a header', () => {
  expect(listingText([], SHIPS, { now: 0, terminal: terminal({}) })).toBe('There are no ships.');
});
