import { expect, test } from 'vitest';
import { readAddress } from './address.ts';

const ORIGIN = 'https://host.example/team/app.git';

test.each([
  ['https://host.example/lib.git', 'https://host.example/lib.git'],
  ['https://ada@host.example/lib.git', 'https://ada@host.example/lib.git'],
  ['ssh://git@host.example:2222/lib.git', 'ssh://git@host.example:2222/lib.git'],
  ['git@host.example:team/lib.git', 'git@host.example:team/lib.git'],
  ['../lib.git', 'https://host.example/team/lib.git'],
  ['../../lib/', 'https://host.example/lib'],
  ['./lib', 'https://host.example/team/app.git/lib'],
])('given the address %s, then git may be sent to %s', (named, url) => {
  expect(readAddress(named, { origin: ORIGIN })).toEqual({ kind: 'remote', url });
});

test('given a relative address of a repository that ssh knows by its short form, then its path is put in place of the last part', () => {
  expect(readAddress('../lib', { origin: 'git@host.example:app.git' })).toEqual({
    kind: 'remote',
    url: 'git@host.example:lib',
  });
});

test.each([
  'ext::sh -c touch% /tmp/x',
  'fd::17',
  '--upload-pack=touch /tmp/x',
  '-u touch /tmp/x',
  '-oProxyCommand=touch:x',
  'x@-oProxyCommand=touch:x',
  'ssh://-oProxyCommand=touch/x',
  'ssh://x@-oProxyCommand=touch/x',
  'ssh://x%40-oProxyCommand=touch/-x',
  'host.example:-x',
  'origin',
  'lib/x',
  '~/lib',
  'https://ada:secret@host.example/lib',
  'https://host.example/lib\nhost=other',
  'https://',
  'ftp://host.example/lib',
  'file://other.example/lib',
  '/srv/lib.git',
  'file:///srv/lib.git',
  '../../../../..',
  '',
])('given the address %j of a repository elsewhere, then git is not sent there', (named) => {
  expect(readAddress(named, { origin: ORIGIN }).kind).toMatch(/^refused$/u);
});

test('given an address of 3,000 characters, then git is not sent there', () => {
  const named = `https://host.example/${'x'.repeat(3_000)}`;
  expect(readAddress(named, { origin: ORIGIN }).kind).toBe('refused');
});

test.each(['/srv/app', 'file:///srv/app'])(
  'given a repository of this machine at %s, then a directory may be asked',
  (origin) => {
    expect(readAddress('/srv/lib.git', { origin })).toMatchObject({ kind: 'directory', path: '/srv/lib.git' });
    expect(readAddress('../lib.git', { origin })).toMatchObject({ kind: 'directory', path: '/srv/lib.git' });
  },
);

test('given a repository whose own address is not known, then what is relative to it is not known, and the rest is', () => {
  expect(readAddress('../lib', { origin: undefined }).kind).toBe('unknown');
  expect(readAddress('https://host.example/lib', { origin: undefined }).kind).toBe('remote');
});
