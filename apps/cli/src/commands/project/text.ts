/** Formats projects. */
import type { ProjectPageView, ProjectView } from '@drover/api';
import type { Page } from '../../program/answer.ts';
import type { Listing } from '../../terminal/lists/listing.ts';
import { ago, paint, plain, table } from '../../terminal/style.ts';

/** The list of `drover project`. */
export const PROJECTS: Listing<ProjectView> = {
  empty: 'There is no project: run "drover init" and "drover up", or "drover project add".',
  nameOf: ({ name }) => name,
  columns: [
    { name: 'NAME', of: ({ name }) => plain(name) },
    { name: 'WORKERS', of: ({ workers }) => String(workers) },
    { name: 'BRANCH', of: ({ defaultBranch }) => plain(defaultBranch) },
    { name: 'SOURCE', of: ({ source }) => plain(source) },
  ],
};

/** The page of `drover project show`. */
export function projectText(
  project: ProjectPageView & { readonly lag?: string | null },
  { now, terminal }: Page,
): string {
  const {
    name,
    source,
    defaultBranch: branch,
    validateOn,
    follow,
    root,
    appliedFrom,
    workerNames,
    checkouts,
  } = project;
  const lines = [
    `${plain(name)}: ${plain(source)}, branch ${plain(branch)}`,
    ...[homeText(project)].filter((words) => words !== ''),
    ...(project.lag == null ? [] : [plain(project.lag)]),
    `checks: ${CHECKS[project.checks]}`,
    ...trustLines(project),
    ...(validateOn.length === 0 ? [] : [`machines for the checks of merges: ${validateOn.map(plain).join(', ')}`]),
    ...(follow === 'upstream' ? [`${plain(branch)} is updated from its upstream branch before work begins`] : []),
    ...(root === null ? [] : [`its settings come from ${plain(root)}/drover.toml`]),
    ...(appliedFrom === null ? [] : [`its settings were applied from ${plain(appliedFrom)}`]),
    workerNames.length === 0 ? 'no workers' : `workers: ${workerNames.map(plain).join(', ')}`,
  ];
  if (checkouts.length === 0) return [...lines, 'no machine has a checkout yet: the first worker makes one'].join('\n');
  const rows = checkouts.map(({ machine, root: at, state, error, at: since }) => [
    plain(machine),
    paint(state, state === 'ready' ? 'green' : 'red', terminal.colours),
    ago(now - since),
    `${plain(at)}${error === null ? '' : `: ${plain(error)}`}`,
  ]);
  return [...lines, '', table(rows, terminal.columns)].join('\n');
}

type TrustRow = ProjectPageView['trust'][number];

/** The page of `drover project trust`. */
export function trustText({ name, trust }: ProjectPageView, { terminal }: Page): string {
  const rows = trust.map((row) => [row.kind, IS[row.is](row), `lets ${plain(row.lets)}`]);
  return [`${plain(name)}, for all its workers:`, '', table(rows, terminal.columns)].join('\n');
}

const IS: Readonly<Record<TrustRow['is'], (row: TrustRow) => string>> = {
  given: ({ isDecided }) => (isDecided ? 'trusted' : 'trusted unless refused'),
  refused: ({ isDecided }) => (isDecided ? 'refused' : 'refused unless trusted'),
  asked: () => 'not asked yet',
};

function trustLines({ trust }: ProjectPageView): readonly string[] {
  const decided = trust.filter(({ isDecided }) => isDecided);
  const said = decided.map(({ kind, is }) => `${kind} ${is === 'given' ? 'trusted' : 'refused'}`);
  return said.length === 0 ? [] : [`trust: ${said.join(', ')}`];
}

const CHECKS: Readonly<Record<ProjectPageView['checks'], string>> = {
  none: 'none',
  repository: 'those of .drover/checks.toml on the branch',
  config: 'those of its drover.toml',
};

function homeText({ home }: ProjectPageView): string {
  if (home === null) return '';
  return home.kind === 'machine' ? `on the machine ${plain(home.name)}` : plain(home.why);
}
