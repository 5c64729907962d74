// Tests that each server of a connection string is found, and that the next is tried where one refuses.
import { expect, test } from 'vitest';
import { Servers, serversOf } from './servers.ts';

test.each([
  [
    'postgres://me:pa%2Css@first:5432,second:5433/drover',
    ['postgres://me:pa%2Css@first:5432/drover', 'postgres://me:pa%2Css@second:5433/drover'],
  ],
  [
    'postgres://first,second/drover?target_session_attrs=read-write&sslmode=require',
    ['postgres://first/drover?sslmode=require', 'postgres://second/drover?sslmode=require'],
  ],
  [
    'postgresql://me@%2Frun%2Fa,%2Frun%2Fb/drover?target_session_attrs=primary',
    ['postgresql://me@%2Frun%2Fa/drover', 'postgresql://me@%2Frun%2Fb/drover'],
  ],
  ['postgres://me@only/drover?sslmode=require', ['postgres://me@only/drover?sslmode=require']],
])('given %s, when it is read, then each server has a connection string of its own', (given, expected) => {
  expect(serversOf(given)).toEqual(expected);
});

test('given two connections that were refused by one server, when both say so, then the next one is tried, and not passed over', () => {
  const servers = new Servers('postgres://a,b,c/name');
  const first = servers.current;

  servers.refused(first);
  servers.refused(first);

  expect(servers.current).toBe('postgres://b/name');
  servers.refused('postgres://b/name');
  servers.refused('postgres://c/name');
  expect(servers.current).toBe(first);
});
