/** Shows people the committed work of a worker and how its checks ended. */
import type { WorkView } from '@drover/api';
import { tellGitlinks } from '@drover/core';
import type { Candidate, Checks } from '@drover/core';
import type { WorkerRow } from '@drover/store';

/** @returns null while nothing is committed. */
export function workOf({ merge }: WorkerRow['state']): WorkView | null {
  const { candidate, checks, step, notes } = merge;
  const doing = step.kind === 'reviewing' ? step.doing.kind : null;
  if (candidate === null && checks === null && doing === null) return null;
  return {
    step: doing,
    candidate:
      candidate === null
        ? null
        : {
            kind: candidate.kind,
            head: candidate.head,
            base: candidate.base,
            commit: candidate.kind === 'candidate' ? candidate.commit : null,
            tree: candidate.kind === 'candidate' ? candidate.tree : null,
            files: candidate.kind === 'clash' ? [...candidate.files] : [],
          },
    checks: checks === null ? null : checksView(checks),
    notes: [...notes, ...notesOf(candidate)],
  };
}

function checksView({ head, tree, checks, at, outcome }: Checks): NonNullable<WorkView['checks']> {
  const ran = { commit: head, tree, at, command: null, output: null };
  if (outcome.kind === 'failed') return { ...ran, result: 'failed', command: outcome.command, output: outcome.output };
  return { ...ran, result: checks === '' ? 'none' : 'passed' };
}

function notesOf(candidate: Candidate | null): readonly string[] {
  if (candidate?.kind !== 'candidate') return [];
  const { gitlinks = [] } = candidate;
  const undone = candidate.notes.map(({ paths, count }) => {
    const more = count > paths.length ? ` and ${count - paths.length} more` : '';
    return `it undoes changes that others made in ${paths.join(', ')}${more}`;
  });
  return [...undone, ...(gitlinks.length === 0 ? [] : [`it cannot be merged yet: ${tellGitlinks(gitlinks)}`])];
}
