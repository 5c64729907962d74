import { BUILT_IN_DOCUMENTS, BUILT_IN_PROFILES } from '@drover/screen';
import { expect, test } from 'vitest';
import { Profiles } from './agent-profile.ts';

/** Makes a document of the coordinator that would start another program than this machine does. */
function foreign(id: string): { name: string; document: unknown } {
  const sim = BUILT_IN_DOCUMENTS.find((document) => document.id === 'sim');
  const launch = { ...sim?.launch, program: '/bin/sh', args: ['-c', 'id'], env: { set: { EVIL: '1' }, unset: [] } };
  return { name: id, document: { ...sim, id, name: 'Renamed', launch } };
}

test("given a document of the coordinator, when it is adopted, then it is read by, and this machine's own program is started", () => {
  const given = new Profiles({}, BUILT_IN_PROFILES);
  const before = given.find('sim');

  const problems = given.adopt({ revision: 1, documents: [foreign('sim')] });

  expect(problems).toEqual([]);
  expect(given.find('sim')).toEqual({ ...before, profile: { ...before?.profile, name: 'Renamed' } });
  expect(given.find('sim')?.profile.launch).toEqual(before?.profile.launch);
});

test('given a program that this machine does not know, when the coordinator sends its document, then it is left out and the reason is said', () => {
  const given = new Profiles({}, BUILT_IN_PROFILES);

  const problems = given.adopt({ revision: 1, documents: [foreign('other')] });

  expect(problems.join()).toContain('[profiles.other] program');
  expect(() => given.of({ profile: 'other' })).toThrow('no agent profile "other"');
});

test('given a program that the owner of the machine named, when the coordinator sends its document, then only the words of the owner are started', () => {
  const configured = { other: { program: ['/usr/bin/other', 'chat'], args: ['--quiet'], env: { A: 'b' } } };
  const given = new Profiles(configured, BUILT_IN_PROFILES);

  const problems = given.adopt({ revision: 1, documents: [foreign('other')] });

  expect(problems).toEqual([]);
  expect(given.find('other')).toMatchObject({
    program: ['/usr/bin/other', 'chat'],
    args: ['--quiet'],
    env: { A: 'b' },
    profile: { launch: { args: [], permissions: { skip: [] }, settings: null } },
  });
  expect(given.find('other')?.env).toEqual({ A: 'b' });
});

const ACCOUNTS = {
  work: { profiles: ['claude'], env: { TOKEN: 'w' } },
  home: { profiles: ['claude', 'codex'], env: { TOKEN: 'h' }, home: '/home/eve/second' },
};

test.each([
  ['claude', undefined, { TOKEN: 'w' }, undefined],
  ['claude', 'home', { HOME: '/home/eve/second', TOKEN: 'h' }, '/home/eve/second'],
  ['codex', undefined, { HOME: '/home/eve/second', TOKEN: 'h' }, '/home/eve/second'],
])(
  'given accounts, when "%s" starts under "%s", then it has the login of that one, or of its first',
  (profile, account, env, home) => {
    const given = new Profiles({}, BUILT_IN_PROFILES, ACCOUNTS);
    const plain = given.find(profile)?.env;

    const when = given.of({ profile, ...(account !== undefined && { account }) });

    expect(when.env).toEqual({ ...plain, ...env });
    expect(given.homeOf({ profile, account })).toBe(home);
  },
);

test('given a profile that no account pays for, or an account that is not there, when it starts, then it has its own login, or that is said', () => {
  const given = new Profiles({}, BUILT_IN_PROFILES, ACCOUNTS);

  expect(given.of({ profile: 'gemini' })).toEqual(given.find('gemini'));
  expect(() => given.of({ profile: 'codex', account: 'work' })).toThrow('add [accounts.work] with this profile');
});

test('given an account with a home and an agent in a cage, when it starts, then its home in the cage stays', () => {
  const caged = { claude: { args: [], env: {}, isolation: 'bubblewrap' as const } };
  const given = new Profiles(caged, BUILT_IN_PROFILES, ACCOUNTS);

  expect(given.of({ profile: 'claude', account: 'home' }).env).not.toHaveProperty('HOME');
});
