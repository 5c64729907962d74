/** Supplies of a worktree beside its commits: copied files, content of LFS files, submodules. Sentences tell people what is lacking. */

import type { Untrusted } from './trust.ts';

/** Reasons for not copying a file that `repo.copy_files` names. */
export const COPY_REFUSALS = ['symlink', 'not-a-file', 'behind-a-symlink', 'too-large'] as const;

export type CopyRefusal = (typeof COPY_REFUSALS)[number];

/** Reasons for pointers in LFS files. `skipped`: git-lfs ran, said that all is well, and left them. */
export const POINTER_REASONS = ['not-installed', 'failed', 'skipped'] as const;

export type PointerReason = (typeof POINTER_REASONS)[number];

/** Files that a worktree got, and those that it lacks. Lists may be cut; counts are whole. */
export interface Supplies {
  /** `bytes`: total of all files. */
  readonly copied: { readonly count: number; readonly bytes: number };
  /** Patterns of `repo.copy_files` that match no ignored file of the source. */
  readonly unmatched: readonly string[];
  /** Patterns that the owner of the machine does not allow. */
  readonly forbidden: readonly string[];
  readonly refused: {
    readonly count: number;
    readonly files: readonly { readonly path: string; readonly reason: CopyRefusal }[];
  };
  /** LFS files that hold a pointer where their content should be; null: none. */
  readonly pointers: {
    readonly count: number;
    readonly files: readonly string[];
    readonly why: PointerReason;
    /** The words of git-lfs when it failed; else empty. */
    readonly message: string;
  } | null;
  /** Filters that `.gitattributes` asks for and that nothing sets up there, by name. */
  readonly filters: readonly string[];
  /** Files that tools of the machine run only if trusted, about which nobody has decided. */
  readonly untrusted: readonly Untrusted[];
  /** Sentence that says why the default branch may lag the branch that it follows; absent: it does not. */
  readonly behind?: string | undefined;
  /** Submodules that are not filled. */
  readonly submodules: {
    readonly count: number;
    readonly lacking: readonly {
      readonly path: string;
      /** Follows "its". */
      readonly why: string;
    }[];
  };
}

/** Entries of a list that a sentence names. */
const NAMED_MAX = 5;
const UNITS = ['bytes', 'KiB', 'MiB', 'GiB'] as const;

/** Returns a sentence for each thing that a worktree lacks, with the remedy; none for a complete worktree. */
export function tellLacks({
  unmatched,
  forbidden,
  refused,
  pointers,
  filters,
  submodules,
  behind,
}: Supplies): readonly string[] {
  return [
    ...(behind === undefined ? [] : [behind]),
    ...(pointers === null ? [] : [tellPointers(pointers)]),
    ...(filters.length === 0 ? [] : [tellFilters(filters)]),
    ...(submodules.count === 0 ? [] : [tellSubmodules(submodules)]),
    ...(unmatched.length === 0 ? [] : [tellUnmatched(unmatched)]),
    ...(forbidden.length === 0 ? [] : [tellForbidden(forbidden)]),
    ...tellRefused(refused),
  ];
}

/** Words the copied files as a sentence; null: none. */
export function tellCopied({ copied: { count, bytes } }: Supplies): string | null {
  if (count === 0) return null;
  return `${files(count)} of repo.copy_files (${size(bytes)}) ${count === 1 ? 'was' : 'were'} copied into its worktree.`;
}

/** Words the unmatched patterns without naming a worktree, as for a check of the source. */
export function tellUnmatched(patterns: readonly string[]): string {
  const which = patterns.length === 1 ? 'a pattern' : `${patterns.length} patterns`;
  return `repo.copy_files has ${which} that no ignored file of the source matches (${list(patterns)}): create the files there, or correct drover.toml.`;
}

/** Words the forbidden patterns without naming a worktree, as for a check of the source. */
export function tellForbidden(patterns: readonly string[]): string {
  return `The owner of its machine does not allow copies of ${list(patterns)}: allow them there in agent.allowed_copy_files, or remove them from repo.copy_files.`;
}

const REFUSALS: Readonly<Record<CopyRefusal, string>> = {
  symlink: 'are symbolic links in the source: put plain files there',
  'not-a-file': 'are not plain files in the source: name the files in them',
  'behind-a-symlink': 'would be written through a symbolic link in the worktree: remove the link from the repository',
  'too-large': 'are larger than 256 MiB: keep them outside of the repository and point the build there',
};

/** Returns a sentence for each reason. */
export function tellRefused({ count, files: named }: Supplies['refused']): readonly string[] {
  const reasons = COPY_REFUSALS.flatMap((reason) => {
    const paths = named.filter((file) => file.reason === reason).map(({ path }) => path);
    return paths.length === 0 ? [] : [`Not copied, because they ${REFUSALS[reason]}: ${list(paths)}.`];
  });
  const more = count - named.length;
  return more > 0 ? [...reasons, `Not copied either: ${files(more)} more.`] : reasons;
}

function tellPointers({ count, files: named, why, message }: NonNullable<Supplies['pointers']>): string {
  const what = `${files(count)} kept by Git LFS ${count === 1 ? 'is a pointer' : 'are pointers'} without content (${list(named, count)})`;
  const then = 'then run "git lfs pull" in the worktree';
  switch (why) {
    case 'not-installed':
      return `${what}, because git-lfs is not installed on its machine: install it there, ${then}.`;
    case 'failed':
      return `${what}, because "git lfs pull" failed on its machine: ${message.trim().replace(/\.$/u, '')}. Correct that, ${then}.`;
    case 'skipped':
      return `${what}, although git-lfs reported no error: run "git lfs install" as the user of the machine agent, ${then}.`;
    default:
      return why satisfies never;
  }
}

/** Words the filters that nobody has set up, without naming a worktree. */
export function tellFilters(filters: readonly string[]): string {
  const which = filters.length === 1 ? 'a filter' : `${filters.length} filters`;
  return `.gitattributes asks for ${which} that the source does not configure (${list(filters)}): agents see the files as the repository stores them, also encrypted ones, and commit their changes unfiltered. Configure it in the source, for example with "git-crypt unlock" or "nbstripout --install"; new workers then have it.`;
}

/** Words the submodules that are not filled, without naming a worktree. */
export function tellSubmodules({ count, lacking }: Supplies['submodules']): string {
  const what = count === 1 ? '1 submodule is not checked out' : `${count} submodules are not checked out`;
  const named = lacking.slice(0, NAMED_MAX).map(({ path, why }) => `"${path}": its ${why}`);
  const more = count - named.length;
  return `${what} (${named.join('; ')}${more > 0 ? `; ${more} more` : ''}): correct that, or run "git submodule update --init" in the source; the next task then has them.`;
}

function list(names: readonly string[], count = names.length): string {
  const shown = names.slice(0, NAMED_MAX).map((name) => `"${name}"`);
  return [...shown, ...(count > shown.length ? [`${count - shown.length} more`] : [])].join(', ');
}

function files(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

function size(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return unit === 0 ? `${bytes} bytes` : `${(bytes / 1024 ** unit).toFixed(1)} ${UNITS[unit] ?? ''}`;
}
