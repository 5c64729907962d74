/** Gitlinks: commits of other repositories that work names and nobody can fetch, as machines report them and people read them. */
import { showHidden } from '../hidden-characters.ts';

/** A gitlink that the work adds or changes, and that does not count: a merge would bring its name and none of its files. */
export interface Gitlink {
  readonly path: string;
  readonly commit: string;
  /** Address that `.gitmodules` names at the path; null: none. */
  readonly address: string | null;
  /** `nowhere`: no address could have it. `absent`: the address lacks it. `unknown`: the address could not be asked. */
  readonly found: 'nowhere' | 'absent' | 'unknown';
  /** Words that follow "its address"; empty if there is no address. */
  readonly why: string;
}

/** Gitlinks that are named in words; the others are counted. */
const NAMED_MAX = 3;

/** Tells whether the agent can put the gitlink right: an address that could not be asked is not its fault. */
export function isToBlame({ found }: Gitlink): boolean {
  return found !== 'unknown';
}

/** Says which commits they are, and why they do not count. */
export function tellGitlinks(gitlinks: readonly Gitlink[]): string {
  const named = gitlinks.slice(0, NAMED_MAX).map(({ path, commit, address, why }) => {
    const reason =
      address === null
        ? '.gitmodules names no address for it, so it is a repository of its own whose files are not in the work'
        : `its address ${quote(address)} ${showHidden(why)}`;
    return `${quote(path)} names commit ${commit.slice(0, 12)} of another repository: ${reason}`;
  });
  const more = gitlinks.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** Words the gitlinks for the agent. */
export function gitlinksText(gitlinks: readonly Gitlink[]): string {
  return [
    'Your work cannot be taken as it is, because files that it needs are not in your commit:',
    '',
    ...gitlinks.slice(0, NAMED_MAX).flatMap(adviceOf),
    ...(gitlinks.length > NAMED_MAX ? [`The same holds for ${gitlinks.length - NAMED_MAX} more.`] : []),
    '',
    'Please put this right and commit it. Do not push to any remote.',
  ].join('\n');
}

function adviceOf({ path, commit, address, why }: Gitlink): string[] {
  const name = quote(path);
  if (address === null)
    return [
      `- ${name} is a repository of its own, or a worktree; its files are not in your commit. Take it out of the index with "git rm --cached".`,
      '  If its files belong to your work, remove its .git and add them. If it is meant to be a submodule, name in .gitmodules an address that has its commit.',
    ];
  return [
    `- ${name} is a submodule at commit ${commit.slice(0, 12)}, and its address ${quote(address)} ${showHidden(why)}. Set it to a commit that can be fetched there.`,
    '  Or make its files part of this repository: take it out of .gitmodules, remove its .git, "git rm --cached" it, and add its files.',
  ];
}

function quote(name: string): string {
  return JSON.stringify(showHidden(name));
}
