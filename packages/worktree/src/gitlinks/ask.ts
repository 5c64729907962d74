/** Asks an address for one commit, which need not be at a branch or tag. Nothing of the answer is kept but whether it is there. */
import { type Git, type GitCall, git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { outside } from '../project/remote.ts';
import type { Address } from './address.ts';

/** Tells whether a commit can be had; `why` follows "its address". */
type Answer = { readonly kind: 'present' } | { readonly kind: 'absent' | 'unknown'; readonly why: string };

/** Time limit of one call, in milliseconds: a person waits for the whole. */
const ASK_MS = 30_000;
/** Characters of git's message that are shown. */
const WORDS_CHARS_MAX = 200;

const ABSENT =
  /not our ref|couldn't find remote ref|does not appear to be a git repository|repository .{0,400} not found|no such remote ref/iu;

/** Asks for the commit itself, with nothing of its files where the other side knows how. */
export async function hasCommit(
  context: Git,
  asked: {
    readonly address: Extract<Address, { kind: 'remote' | 'directory' }>;
    readonly commit: string;
    readonly own: readonly string[];
  },
): Promise<Answer> {
  const { address, commit, own } = asked;
  if (address.kind === 'directory') {
    const real = await context.files.realpath(address.path);
    if (real === undefined) return { kind: 'absent', why: 'is not there' };
    if (own.some((directory) => isWithin(real, directory)))
      return { kind: 'absent', why: "lies in Drover's own directories, which are removed with the worker" };
  }
  const made = await context.run('mktemp', ['-d', '-t', 'drover-ask.XXXXXXXX'], { timeoutMs: ASK_MS });
  if (made.status !== 0) return { kind: 'unknown', why: 'could not be asked: there is no temporary directory' };
  const at = made.stdout.trim();
  try {
    return await fetchInto(context, at, { url: address.url, commit });
  } catch (error) {
    if (!(error instanceof GitError) || error.code === 'cancelled') throw error;
    return { kind: 'unknown', why: `did not answer within ${ASK_MS / 1000} s, or in a way that cannot be used` };
  } finally {
    await context.files.rm(at);
  }
}

/** Tells whether a path is a directory, or lies in it. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}

/** Fetches into an empty repository of its own: the commit is of no use to any other. */
async function fetchInto(
  context: Git,
  at: string,
  { url, commit }: { readonly url: string; readonly commit: string },
): Promise<Answer> {
  const call: GitCall = { ...outside(`ask "${url}"`), at, timeoutMs: ASK_MS, env: { GIT_NO_LAZY_FETCH: '1' } };
  const format = commit.length === 64 ? 'sha256' : 'sha1';
  await git(context, ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`], call);
  const limits = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
  const args = ['fetch', ...limits, '--depth=1', '--filter=tree:0', '--', url, commit];
  const { status, stderr } = await git(context, args, { ...call, allow: [1, 128, 255] });
  if (status !== 0) return refusal(stderr, commit);
  const { stdout } = await git(context, ['cat-file', '-t', commit], call);
  if (stdout.trim() === 'commit') return { kind: 'present' };
  return { kind: 'absent', why: `has no commit ${commit.slice(0, 12)}` };
}

function refusal(stderr: string, commit: string): Answer {
  if (ABSENT.test(stderr)) return { kind: 'absent', why: `does not have ${commit.slice(0, 12)}` };
  const words = /^(?:fatal|error|ssh): .*/mu.exec(stderr)?.[0] ?? stderr.trim();
  return { kind: 'unknown', why: `could not be asked (${words.slice(0, WORDS_CHARS_MAX)})` };
}
