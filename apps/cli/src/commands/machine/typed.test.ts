import { expect, test } from 'vitest';
import type { MachineView } from '@drover/api';
import { sshFingerprint } from '@drover/protocol';
import { confirming } from './add.ts';
import { fingerprintIn, hostOf } from './typed.ts';

const FINGERPRINT = `SHA256:${'aB3+/'.repeat(8)}xyz`;

test.each([
  ['ada@build-3', 'build-3'],
  ['build-3', 'build-3'],
  ['ada@corp@build-3', 'build-3'],
])('given "%s", when its host is asked for, then it is "%s"', (destination, host) => {
  expect(hostOf(destination)).toBe(host);
});

test.each(['', 'ada@', 'ada@ '])(
  'given "%s", when its host is asked for, then it is told that none is named',
  (typed) => {
    expect(() => hostOf(typed)).toThrow('is not a host; expected user@host');
  },
);

test.each([FINGERPRINT, `256 ${FINGERPRINT} root@build-3 (ED25519)`, ` ${FINGERPRINT}\n`])(
  'given "%s", when the fingerprint is taken from it, then it is the one',
  (typed) => {
    expect(fingerprintIn(typed)).toBe(FINGERPRINT);
  },
);

test.each([
  `${FINGERPRINT}A`,
  `${FINGERPRINT} ${FINGERPRINT.toLowerCase().replace('sha', 'SHA')}`,
  'ssh-ed25519 AAAA',
  'x'.repeat(400),
])('given "%s", which is not one fingerprint, when it is sent, then it is said what one is', (typed) => {
  const { error } = sshFingerprint.safeParse(fingerprintIn(typed));

  expect(error?.issues.map(({ message }) => message)).toEqual([
    'A fingerprint is SHA256: and 43 characters, as "ssh-keygen -lf" prints it',
  ]);
});

test.each([
  [[], 'drover machine add far'],
  [[FINGERPRINT], 'drover machine trust far'],
])(
  'given a host that is known by the keys %j, when it shows another, then "%s" confirms that one',
  (pinned, command) => {
    const ssh = { pinned } as unknown as MachineView['ssh'];

    expect(confirming({ name: 'far', ssh }, 'drover machine add far')).toBe(command);
  },
);
