/** Runs one git command so that nothing of the caller's surroundings can change what it does. */
import type { Host } from '@drover/host';
import { GitError, errorFromGit } from './git-error.ts';
import { filesOn, type GitFiles, type RunCommand, type RunResult, runOn } from './on-host.ts';

/** Context of every function of this package: the two ports, and whether the project's git hooks may run. */
export interface Git {
  readonly run: RunCommand;
  readonly files: GitFiles;
  /**
   * Runs git on repositories of Drover's own, such as the archive or a view of objects, where `run` cannot reach them.
   * Such a git reads nothing that a worktree or its repository says but objects. Absent: `run`.
   */
  readonly runOutside?: RunCommand;
  /** Run the repository's hooks. Off unless the project asks for it. */
  readonly hooks?: boolean;
  /** Prefix of the project's worker branches. Absent: `drover`. */
  readonly branchPrefix?: string;
  /** Globs of ignored files that count as work of the project's workers. Absent: none do. */
  readonly keep?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Git outside of any project's worktrees, without the repository's hooks. */
export function gitOn(host: Host): Git {
  return { run: runOn(host), files: filesOn(host), hooks: false };
}

/** Deadlines in milliseconds: ten times what the slowest machine in our tests needed for a large repository. */
export const DEADLINES_MS = { read: 15_000, write: 60_000, checkout: 180_000, clone: 900_000 } as const;

/** Bytes of output kept where the caller sets no limit of its own: 200,000 paths of 80 bytes. */
export const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

/** Call of git. `allow` lists statuses beside 0 that are answers, not errors. */
export interface GitCall {
  /** The directory, absolute. */
  readonly at: string;
  /** Action for messages: completes "Cannot …". */
  readonly action: string;
  readonly timeoutMs: number;
  /** A read takes no optional locks, so it never disturbs an agent's own git. */
  readonly reads?: boolean;
  readonly allow?: readonly number[];
  readonly env?: Record<string, string>;
  readonly input?: string;
  readonly maxOutputBytes?: number;
  /** Output longer than the limit is cut and marked instead of refused. */
  readonly mayCut?: boolean;
  /** Look for the repository in the directories above, too. */
  readonly searchesUp?: boolean;
  /** Settings for this call alone, as `name=value`. */
  readonly config?: readonly string[];
}

/** Answer of a call. */
export interface GitAnswer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Output was longer than the limit. */
  readonly cut: boolean;
}

/** Variables that would point git at another repository, index, configuration or identity. */
const FOREIGN_VARIABLES = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_CONFIG',
  'GIT_CONFIG_PARAMETERS',
  'GIT_CONFIG_COUNT',
  'GIT_EXTERNAL_DIFF',
  'GIT_DIFF_OPTS',
  'GIT_SEQUENCE_EDITOR',
  'GIT_QUARANTINE_PATH',
  'GIT_REPLACE_REF_BASE',
  'GIT_GRAFT_FILE',
  'GIT_SHALLOW_FILE',
  'GIT_REFLOG_ACTION',
  'GIT_TRACE',
  'GIT_ATTR_SOURCE',
  'GIT_LITERAL_PATHSPECS',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
] as const;

/** Takes them away, whatever the port inherits. */
export const WITHOUT_FOREIGN_VARIABLES: Readonly<Record<string, undefined>> = Object.fromEntries(
  FOREIGN_VARIABLES.map((name) => [name, undefined]),
);

/** Settings a person may have that would make git ask, sign, colour, rewrite or run something. */
const SETTINGS = [
  'core.quotepath=off',
  'core.fsmonitor=false',
  'core.editor=true',
  'sequence.editor=true',
  'color.ui=false',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'log.showSignature=false',
  'i18n.logOutputEncoding=UTF-8',
  // Turns the commit graph off: git believes what it says of a commit's parents, and a program that can write into the
  // clone can write it.
  'core.commitGraph=false',
  // A repository that says otherwise is stronger than the variable of the same meaning.
  'core.useReplaceRefs=false',
  // Worktrees of one clone share its refs: wait for a lock, in milliseconds, rather than fail (git's own: 100).
  'core.filesRefLockTimeout=5000',
  'diff.ignoreSubmodules=none',
  'status.showUntrackedFiles=normal',
] as const;

const ENVIRONMENT = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GIT_PAGER: 'cat',
  GIT_MERGE_AUTOEDIT: 'no',
  // Allows these protocols alone: no address, and no setting that puts another one in its place, leads to a helper of
  // git's that runs a program (`ext::`).
  GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
  // A program that writes into a clone could show one commit to a reviewer and have another one merged.
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null/none',
};

/**
 * Runs `git` in a directory.
 *
 * @throws {GitError} `git-missing`, `timed-out`, `cancelled`, `output-too-large`, or what {@link errorFromGit} reads
 *   from git's words when the status is neither 0 nor in `allow`.
 */
export async function git(context: Git, args: readonly string[], call: GitCall): Promise<GitAnswer> {
  const maxOutputBytes = call.maxOutputBytes ?? OUTPUT_BYTES_MAX;
  const settings = [
    ...SETTINGS,
    ...(context.hooks === true ? [] : ['core.hooksPath=/dev/null']),
    ...(call.config ?? []),
  ];
  const words = ['-C', call.at, ...settings.flatMap((setting) => ['-c', setting]), ...args];
  const running = context.run('git', words, {
    // A call may give its own GIT_INDEX_FILE.
    env: { ...WITHOUT_FOREIGN_VARIABLES, ...environment(call) },
    input: call.input ?? '',
    timeoutMs: call.timeoutMs,
    outputBytesMax: maxOutputBytes,
    ...(context.signal ? { signal: context.signal } : {}),
  });
  const result = await running.catch((cause: unknown): never => {
    // A host says in its own words that its caller gave up.
    throw context.signal?.aborted === true ? cancelledError(call, cause) : cause;
  });
  return answerOf(result, { call, maxOutputBytes, cancelled: context.signal?.aborted === true });
}

/** The git for repositories of Drover's own. No hook of anybody runs there. */
export function unconfined(context: Git): Git {
  return { ...context, run: context.runOutside ?? context.run, hooks: false };
}

/** Runs `git` and returns its output without the last newline. */
export async function gitText(context: Git, args: readonly string[], call: GitCall): Promise<string> {
  return (await git(context, args, call)).stdout.replace(/\n$/, '');
}

function environment(call: GitCall): Record<string, string> {
  return {
    ...ENVIRONMENT,
    // A worktree that lost its .git may lie inside of another repository: git must not take that one for it.
    ...(call.searchesUp === true ? {} : { GIT_CEILING_DIRECTORIES: parentOf(call.at) }),
    ...(call.reads === true ? { GIT_OPTIONAL_LOCKS: '0' } : {}),
    ...call.env,
  };
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

function cancelledError({ action, at }: GitCall, cause?: unknown): GitError {
  return new GitError('cancelled', `Cannot ${action} in "${at}": it was cancelled`, { cause });
}

function answerOf(
  result: RunResult,
  { call, maxOutputBytes, cancelled }: { call: GitCall; maxOutputBytes: number; cancelled: boolean },
): GitAnswer {
  const place = `${call.action} in "${call.at}"`;
  if (cancelled) throw cancelledError(call);
  // A cut in the middle of a character can shorten the text by up to three bytes.
  const cut = Buffer.byteLength(result.stdout) >= maxOutputBytes - 3;
  // Returns before the deadline is looked at: the wanted part was there, however long git would have gone on.
  if (cut && call.mayCut === true) return { status: 0, stdout: result.stdout, stderr: result.stderr, cut };
  if (result.timedOut) {
    throw new GitError(
      'timed-out',
      `Cannot ${place}: git did not end within ${call.timeoutMs} ms; check the result before you repeat it`,
    );
  }
  if (result.status === 127) {
    throw new GitError('git-missing', `Cannot ${place}: git was not found on this machine's PATH; install git`);
  }
  if (cut) {
    throw new GitError('output-too-large', `Cannot ${place}: git answered more than ${maxOutputBytes} bytes`);
  }
  const status = result.status ?? -1;
  if (status !== 0 && !(call.allow ?? []).includes(status)) {
    throw errorFromGit(place, result.stderr || result.stdout || `git ended with ${result.signal ?? status}`);
  }
  return { status, stdout: result.stdout, stderr: result.stderr, cut };
}
