/** Tests that need a program of the machine: without it they say by name what was not run, and how to install it. */
import { describe } from 'vitest';

/** The Debian package of each program that is called otherwise. */
const PACKAGES: Readonly<Record<string, string>> = { sshd: 'openssh-server', dropbear: 'dropbear-bin' };

/** @param found Its path, or undefined where it is missing. */
export function needs(program: string, found: string | undefined, declare: () => void): void {
  const isMissing = found === undefined;
  const install = `apt-get install ${PACKAGES[program] ?? program}`;
  const name = isMissing ? `not run, for ${program} is not installed here; to run it: ${install}` : `with ${program}`;
  describe.skipIf(isMissing)(`${name}`, () => {
    declare();
  });
}
