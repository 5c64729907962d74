/** Lists the unexpected failures of git, and what a person should do about each. */

/** Failures of a git call; `retry` says whether the same call may succeed later. */
const GIT_ERRORS = {
  'git-missing': { retry: false },
  'git-too-old': { retry: false },
  missing: { retry: false }, // the directory does not exist
  'not-a-repository': { retry: false },
  'unsafe-owner': { retry: false },
  'unknown-revision': { retry: false },
  incomplete: { retry: false }, // a repository without all of its history or objects
  'not-a-descendant': { retry: false },
  locked: { retry: true }, // another git holds a lock; after a crash the lock may be stale
  'timed-out': { retry: false }, // outcome unknown: look before repeating
  'disk-full': { retry: true },
  'read-only': { retry: false },
  'no-permission': { retry: false },
  'output-too-large': { retry: false },
  'bad-name': { retry: false },
  'id-taken': { retry: false },
  cancelled: { retry: false },
  failed: { retry: false },
} as const satisfies Record<string, { retry: boolean }>;

export type GitErrorCode = keyof typeof GIT_ERRORS;

/** A git call that could not do its work. The message names the action, quotes the value, says what to do. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly code: GitErrorCode;

  constructor(code: GitErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Git's own words (in the C locale), most telling first, and what they mean. */
const SIGNS: readonly { pattern: RegExp; code: GitErrorCode; advice: string }[] = [
  {
    // Matches a write to a working tree that git began and could not finish: for it git does not say why.
    pattern: /No space left on device|[Dd]isk quota exceeded|Out of diskspace|unable to write file (?:(?!: ).)*$/m,
    code: 'disk-full',
    advice: 'Free some space, then repeat.',
  },
  {
    pattern: /Read-only file system/,
    code: 'read-only',
    advice: 'The file system is read-only: mount it for writing or choose another directory.',
  },
  {
    pattern:
      /\.lock': File exists|cannot lock ref '[^'\n]*': is at|failed to read .{0,400}\/commondir|Another git process seems to be running|Unable to create '[^'\n]*\.lock'.{0,400}exists/,
    code: 'locked',
    advice: 'Another git works there. If none does, a git was killed: remove the lock file it names.',
  },
  {
    pattern: /detected dubious ownership/,
    code: 'unsafe-owner',
    advice: 'The repository belongs to another user: give it to this user, or add it to git’s safe.directory.',
  },
  {
    pattern: /Permission denied|insufficient permission/,
    code: 'no-permission',
    advice: 'Check who owns these files.',
  },
  { pattern: /cannot change to '[^'\n]*': No such file/, code: 'missing', advice: 'The directory does not exist.' },
  {
    pattern: /not a git repository|must be run in a work tree/i,
    code: 'not-a-repository',
    advice: 'Choose a directory that holds a git repository with a working tree.',
  },
  {
    pattern:
      /unknown revision|bad revision|Needed a single revision|invalid reference|couldn't find remote ref|not a valid object name/i,
    code: 'unknown-revision',
    advice: 'No such commit or branch: check its name.',
  },
];

/** Longest piece of git's stderr that a message quotes, in characters: enough for the lines that tell. */
const QUOTED_CHARS_MAX = 600;

/** Makes the error for a git call that ended badly, from what git wrote. Pure. */
export function errorFromGit(action: string, stderr: string): GitError {
  const sign = SIGNS.find(({ pattern }) => pattern.test(stderr));
  const words = stderr.trim().slice(0, QUOTED_CHARS_MAX) || 'git wrote no reason';
  return new GitError(sign?.code ?? 'failed', `Cannot ${action}: ${words}${sign ? `\n${sign.advice}` : ''}`);
}
