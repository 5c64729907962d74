import { expect, test } from 'vitest';
import { utf8 } from './environment.ts';

const DEBIAN = 'C\nC.utf8\nPOSIX\n';

test.each([
  ['fish sets a locale that the machine lacks', { LC_CTYPE: 'en_US.UTF-8' }, DEBIAN, { LC_CTYPE: 'C.utf8' }],
  ['LC_ALL names a locale that the machine lacks', { LC_ALL: 'en_US.UTF-8' }, DEBIAN, { LC_ALL: 'C.utf8' }],
  ['no locale is set', {}, DEBIAN, { LC_CTYPE: 'C.utf8' }],
  ['the locale is C', { LANG: 'C' }, 'C\nde_DE.utf8\n', { LC_CTYPE: 'de_DE.utf8' }],
  ['the locale is there in another spelling', { LANG: 'de_DE.UTF-8' }, 'C\nC.utf8\nde_DE.utf8\n', {}],
  ['the machine cannot list its locales', { LANG: 'de_DE.UTF-8' }, '', {}],
  ['the machine cannot list its locales, and none is set', {}, '', { LC_CTYPE: 'C.UTF-8' }],
] as const)(
  'given that %s, when programs start there, then they get a locale with UTF-8',
  (_what, env, locales, wanted) => {
    expect(utf8(env, locales)).toEqual(wanted);
  },
);
