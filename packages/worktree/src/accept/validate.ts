/** Runs the project's own checks on the work. */
import { type Git, WITHOUT_FOREIGN_VARIABLES } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';

/** Check of a project. A string is run by `sh -c`: it comes from the project's file, which is its owner's, and from nowhere else. */
type ValidationCommand = string | readonly string[];

/** Result of one check. Output is stdout followed by stderr, the end of each where they were too long. */
interface ValidationResult {
  readonly command: string;
  readonly status: number | null;
  readonly timedOut: boolean;
  readonly output: string;
  readonly cut: boolean;
}

/** Outcome of {@link validate}. Unless it is `passed`, it ends with the check that failed; later checks were not run. */
type ValidationOutcome =
  | { readonly kind: 'passed' | 'failed'; readonly results: readonly ValidationResult[] }
  | { readonly kind: 'program-missing'; readonly program: string; readonly results: readonly ValidationResult[] };

/** Bytes taken from a program's output, and characters kept of it: enough for the last failures of a test run. */
const OUTPUT_BYTES_MAX = 8 * 1024 * 1024;
const OUTPUT_KEPT_CHARS = 32 * 1024;

/** Milliseconds one check may take unless the project says otherwise. */
const VALIDATION_TIMEOUT_MS = 15 * 60 * 1000;

/** Runs the checks one after the other in the worktree and stops at the first that fails. @throws {GitError} `cancelled`. */
export async function validate(
  context: Git,
  {
    worktree,
    commands,
    timeoutMs = VALIDATION_TIMEOUT_MS,
  }: { readonly worktree: string; readonly commands: readonly ValidationCommand[]; readonly timeoutMs?: number },
): Promise<ValidationOutcome> {
  const results: ValidationResult[] = [];
  for (const command of commands) {
    const result = await runCheck(context, { worktree, command, timeoutMs });
    results.push(result);
    if (result.status === 0 && !result.timedOut) continue;
    const program = result.status === NOT_FOUND ? await missingProgram(context, worktree, command) : null;
    return program === null ? { kind: 'failed', results } : { kind: 'program-missing', program, results };
  }
  return { kind: 'passed', results };
}

/** The exit status of `env`, and of a shell, for a program that is not there. A program may end with it for reasons of its own. */
const NOT_FOUND = 127;

/** Names the program of a check if the machine does not have it. A program with a path is a file of the work, and belongs to the work's agent. */
async function missingProgram(context: Git, worktree: string, command: ValidationCommand): Promise<string | null> {
  const words = typeof command === 'string' ? ['sh', '-c', command] : command;
  const isScript = /^(?:ba|da)?sh$/u.test(words[0] ?? '') && words[1] === '-c';
  const program = isScript ? /^\s*([\w.+-]+)(?=\s|$)/u.exec(words[2] ?? '')?.[1] : words[0];
  if (program === undefined || program.includes('/')) return null;
  const find = ['sh', '-c', 'command -v "$1"', 'sh', program];
  const { status } = await context.run('env', find, {
    cwd: worktree,
    env: WITHOUT_FOREIGN_VARIABLES,
    timeoutMs: FIND_MS,
  });
  return status === 0 || status === null ? null : program;
}

/** Milliseconds in which a shell says whether there is a program. */
const FIND_MS = 10_000;

async function runCheck(
  context: Git,
  { worktree, command, timeoutMs }: { worktree: string; command: ValidationCommand; timeoutMs: number },
): Promise<ValidationResult> {
  const words = typeof command === 'string' ? ['sh', '-c', command] : command;
  // Fails the check when its program is not there: it runs behind `env`.
  const result = await context.run('env', words, {
    cwd: worktree,
    env: { ...WITHOUT_FOREIGN_VARIABLES, GIT_TERMINAL_PROMPT: '0' },
    input: '',
    timeoutMs,
    outputBytesMax: OUTPUT_BYTES_MAX,
    ...(context.signal ? { signal: context.signal } : {}),
  });
  const name = typeof command === 'string' ? command : command.join(' ');
  if (context.signal?.aborted === true)
    throw new GitError('cancelled', `Cannot validate "${worktree}": it was cancelled`);
  const parts = [ending(result.stdout), ending(result.stderr)].filter((part) => part.text !== '');
  return {
    command: name,
    status: result.status ?? null,
    timedOut: result.timedOut,
    output: parts.map((part) => part.text).join('\n'),
    cut: parts.some((part) => part.cut),
  };
}

function ending(text: string): { text: string; cut: boolean } {
  const cut = text.length > OUTPUT_KEPT_CHARS;
  return { text: cut ? `[…]\n${wholeLines(text.slice(-OUTPUT_KEPT_CHARS))}` : text, cut };
}

/** Drops half a line at a cut: half of a line may be half of a secret, which none would know any more. A line longer than a quarter of all stays. */
function wholeLines(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 || end > OUTPUT_KEPT_CHARS / 4 ? text : text.slice(end + 1);
}
