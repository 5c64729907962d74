// Tests the methods of a transaction, which are made when they are asked for.
import { expect, test } from 'vitest';
import { binder } from './bind.ts';

interface Methods {
  readonly one: () => string;
  other: () => string;
}

test('given a table of functions, when a method is used twice, then it was made once, and no other was made', () => {
  const made: string[] = [];
  const methods = transaction((name) => made.push(name));

  expect([methods.one(), methods.one(), Reflect.get(methods, 'third')]).toEqual(['one', 'one', undefined]);
  expect(made).toEqual(['one']);
});

test('given a transaction, when it is changed by Object.create, then the changed method is the own one, and the rest is as before', () => {
  const changed = Object.create(transaction(), { other: { value: () => 'own' } }) as Methods;

  expect([changed.one(), changed.other()]).toEqual(['one', 'own']);
});

test.each([
  ['spread', (methods: Methods) => ({ ...methods })],
  ['searched', (methods: Methods) => 'one' in methods],
  ['changed', (methods: Methods) => (methods.other = () => 'own')],
])('given a transaction, when it is %s, then it says what to do instead', (_what, act) => {
  expect(() => act(transaction())).toThrow('use Object.create(tx');
});

function unbound(): void {}

function transaction(making: (name: string) => void = () => {}): Methods {
  return binder({ one: unbound, other: unbound }).later<Methods>((name) => {
    making(name);
    return () => name;
  });
}
