import { expect, test } from 'vitest';
import { chosenFields } from './fields.ts';

const WORKERS = [
  { name: 'adam', status: 'idle', machine: { name: 'build-1' } },
  { name: 'eva', status: 'error', machine: { name: 'build-2' } },
];

test('given fields, when a list is chosen from, then each entry has these alone, in the order given', () => {
  expect(JSON.stringify(chosenFields(WORKERS, ['status', 'machine.name']))).toBe(
    '[{"status":"idle","machine.name":"build-1"},{"status":"error","machine.name":"build-2"}]',
  );
  expect(chosenFields(WORKERS[0], ['name'])).toEqual({ name: 'adam' });
});

test('given an entry without a field that another has, when it is chosen, then it is null', () => {
  expect(chosenFields([{ name: 'adam', note: 'x' }, { name: 'eva' }], ['note'])).toEqual([
    { note: 'x' },
    { note: null },
  ]);
});

test('given a field that no entry has, also one that objects inherit, when it is chosen, then the fields there are named', () => {
  for (const field of ['stauts', 'constructor', 'name.length'])
    expect(() => chosenFields(WORKERS, [field])).toThrow(
      `There is no field "${field}"; there are: machine, name, status`,
    );
});

test('given an empty list, when any field is chosen, then it stays empty', () => {
  expect(chosenFields([], ['anything'])).toEqual([]);
});
