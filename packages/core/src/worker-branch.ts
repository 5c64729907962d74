/** Names of the branches of workers. */

/** Default prefix of branches, unless a project names another. */
export const BRANCH_PREFIX = 'drover';

/** Characters of a prefix at most: a worker's name comes after the prefix. */
const PREFIX_CHARS_MAX = 60;

export function branchOfWorker(worker: string, prefix: string = BRANCH_PREFIX): string {
  return `${prefix}/${worker}`;
}

/** Says why git would take no branch below a prefix, in words after "expected"; null: it would. */
export function branchPrefixProblem(prefix: string): string | null {
  const parts = prefix.split('/');
  const isName = parts.every((part) => /^[A-Za-z0-9_][A-Za-z0-9._-]*$/u.test(part) && !/\.\.|\.lock$|\.$/u.test(part));
  if (isName && prefix.length <= PREFIX_CHARS_MAX) return null;
  return `expected a prefix for branch names, such as "agents" or "team/agents": letters, digits, ".", "_" and "-", at most ${PREFIX_CHARS_MAX}`;
}

/** Returns prefixes to offer when a branch is in the way of one. */
export function otherPrefixes(prefix: string): readonly string[] {
  const first = prefix.split('/')[0] ?? prefix;
  return [`${first}-workers`, `${first}-agents`, `${first}-work`];
}

/** Returns the branches that a prefix cannot be beside: git keeps a branch and those below it in one place. */
export function branchesInTheWay(prefix: string): readonly string[] {
  const parts = prefix.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
