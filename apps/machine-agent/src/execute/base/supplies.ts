/** Files that a worktree got beside its commits, as a command result reports them. */
import type { Supplies } from '@drover/core';
import type { LackingSubmodule, SupplyReport } from '@drover/worktree';
import type { RunningCommand } from '../ports.ts';

/** Files of each kind that a result names; the others are counted. */
const NAMED_MAX = 20;

/** Converts the report to its form on the wire. */
export function suppliesOf(
  { copyForbidden }: RunningCommand,
  { copied: all, lfs, filters }: SupplyReport,
  {
    lacking,
    behind,
    untrusted,
  }: {
    readonly lacking: readonly LackingSubmodule[];
    readonly behind: string | null;
    readonly untrusted: Supplies['untrusted'];
  },
): Supplies {
  const { copied, refused, unmatched } = all;
  return {
    forbidden: copyForbidden,
    copied: { count: copied.length, bytes: copied.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) },
    unmatched,
    refused: { count: refused.length, files: refused.slice(0, NAMED_MAX) },
    pointers:
      lfs.kind === 'pointers'
        ? { count: lfs.files.length, files: lfs.files.slice(0, NAMED_MAX), why: lfs.why, message: lfs.message }
        : null,
    filters: filters.slice(0, NAMED_MAX),
    untrusted,
    ...(behind !== null && { behind }),
    submodules: { count: lacking.length, lacking: lacking.slice(0, NAMED_MAX) },
  };
}
