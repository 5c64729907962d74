/** Finds the missing permission, and the way for a person to grant it. */

import { shellWord } from '../words/shell-word.ts';
import { linesOf } from './lines.ts';

/** Missing permission, and a person's remedies, best first. */
export interface MissingPermission {
  readonly needed: string;
  readonly grant: readonly string[];
}

interface GrantRule {
  readonly pattern: RegExp;
  readonly needed: (found: RegExpExecArray) => string;
  readonly grant: (found: RegExpExecArray) => readonly string[];
}

/** Rules from the most special to the most general. The functions of a row read the groups of its pattern. */
const GRANTS: readonly GrantRule[] = [
  {
    pattern: /requested permissions? to (?:use|write|read|edit) (?:to )?([^\s,]+)|this command requires approval/i,
    needed: (found) => `the agent's permission to use ${found[1] ?? 'this command'}`,
    grant: () => ['Answer the agent, or let the dialog policy of the project allow it from now on.'],
  },
  {
    pattern: /docker\.sock|docker daemon socket/i,
    needed: () => 'access to the Docker socket',
    grant: () => ['sudo usermod -aG docker "$USER"   # then log in again', 'ls -l /var/run/docker.sock'],
  },
  {
    pattern: /dubious ownership in repository at '([^']+)'/,
    needed: (found) => `git's trust in ${found[1]}, which another user owns`,
    grant: (found) => [`git config --global --add safe.directory ${quote(found[1])}`, `ls -ld ${quote(found[1])}`],
  },
  {
    pattern: /protected branch/i,
    needed: () => 'the right to push to a protected branch',
    grant: () => ['Push to another branch and open a pull request, or change the rule of the branch.'],
  },
  {
    pattern: /host key verification failed/i,
    needed: () => 'a known host key for the SSH server',
    grant: () => ['Compare the fingerprint, then connect once by hand: ssh -T git@HOST'],
  },
  {
    pattern: /permission denied \((?:publickey|password|keyboard)[^()]{0,200}\)/i,
    needed: () => 'an SSH key that the server accepts',
    grant: () => ['ssh-add -l', 'Add the public key to the account or as a deploy key, then: ssh -T git@HOST'],
  },
  {
    pattern: /listen EACCES[^\n]{0,200}:(\d{1,5})|bind\(?[^\n]{0,80}:(\d{1,4})\b[^\n]{0,120}permission denied/i,
    needed: (found) => `the right to listen on port ${found[1] ?? found[2]}`,
    grant: () => [
      'Use a port above 1023.',
      'sudo setcap cap_net_bind_service=+ep "$(readlink -f "$(command -v node)")"',
    ],
  },
  {
    pattern: /sudo: |are you root|must be (?:run as )?(?:root|superuser)/i,
    needed: () => 'root',
    grant: () => ['Run the command by hand with sudo, then tell the worker to go on.'],
  },
  {
    pattern: /read-only file system|\bEROFS\b/i,
    needed: () => 'a writable file system',
    grant: () => ['See how it is mounted: findmnt -T PATH', 'Let the agent write below its worktree instead.'],
  },
  {
    pattern: /(?:bash|sh|zsh): (?:line \d+: |\d+: )?(\S+): permission denied/i,
    needed: (found) => `the right to execute ${found[1]}`,
    grant: (found) => [`chmod +x ${quote(found[1])}`, `ls -l ${quote(found[1])}`],
  },
  {
    pattern: /npm (?:ERR!|error)(?: code)? (?:ENEEDAUTH|E401|E403)/,
    needed: () => 'a login at the npm registry with the right to do this',
    grant: () => ['npm whoami', 'npm login'],
  },
  {
    pattern: /could not read (?:Username|Password) for '([^']+)'|authentication failed for '([^']+)'/i,
    needed: (found) => `credentials for ${(found[1] ?? found[2] ?? '').replace(/\/\/[^/@]*@/, '//')}`,
    grant: () => ['Set up a git credential helper, for GitHub: gh auth login && gh auth setup-git'],
  },
  {
    pattern: /password authentication failed for user "([^"]+)"|access denied for user '([^']+)'/i,
    needed: (found) => `the password of the database user ${found[1] ?? found[2]}`,
    grant: () => ['Check the user and the password in the connection string of the project.'],
  },
  {
    pattern:
      /(?:EACCES|EPERM|Permission ?Error|permission denied|operation not permitted)[^\n]{0,200}?['"`]([^'"`\n]{1,300})['"`]/i,
    needed: (found) => `access to ${found[1]}`,
    grant: (found) => [
      `ls -ld ${quote(found[1])}`,
      `sudo chown "$USER" ${quote(found[1])}   or   chmod u+rw ${quote(found[1])}`,
    ],
  },
  {
    pattern:
      /(?:^|\n)[\w.-]+: (?:cannot [\w ]+ |can't [\w ]+ )?(?:['"‘])?(\/?[^\s:'"’]+)['"’]?: (?:permission denied|operation not permitted)/i,
    needed: (found) => `access to ${found[1]}`,
    grant: (found) => [
      `ls -ld ${quote(found[1])}`,
      `sudo chown "$USER" ${quote(found[1])}   or   chmod u+rw ${quote(found[1])}`,
    ],
  },
  {
    pattern:
      /\b401\b|unauthorized|bad credentials|invalid (?:api key|credentials|access token)|authentication (?:failed|required)/i,
    needed: () => 'valid credentials for the service',
    grant: () => ['Set or renew the token that the command uses, in the environment of the worker.'],
  },
  {
    pattern: /\b403\b|forbidden|insufficient|not authorized|access ?denied/i,
    needed: () => 'more rights for the credentials in use',
    grant: () => ['Give the token or the account the scope that the command needs, or let a person run it.'],
  },
];

/** Remedy when the words name no known permission. */
const ANY: MissingPermission = {
  needed: 'a permission that the message does not name',
  grant: ['Run the command by hand in the worktree to see what it needs.'],
};

/** Finds the missing permission; the deciding line is searched before the rest of the output. */
export function missingPermission(text: string, evidence: string): MissingPermission {
  for (const words of [evidence, linesOf(text).join('\n')]) {
    for (const { pattern, needed, grant } of GRANTS) {
      const found = pattern.exec(words);
      if (found !== null) return { needed: needed(found), grant: grant(found) };
    }
  }
  return ANY;
}

/** Quotes a path from foreign output so that pasting the command can run nothing else. */
function quote(path: string | undefined): string {
  return shellWord(path ?? 'PATH');
}
