/** Which row of the recovery policy is shown by which test on real parts? Writes docs/recovery-tested.md: run this file. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CRASHES } from './crash.scenarios.ts';
import { DIALOG_ONES } from './dialogs.scenarios.ts';
import { KILLS } from './kills.scenarios.ts';
import { LIMIT_ONES } from './limits.scenarios.ts';
import { LOST_INPUTS } from './lost-input.scenarios.ts';
import { PERMISSIONS } from './permissions.scenarios.ts';
import { MACHINE_ONES } from './machine.scenarios.ts';
import { STALLED_ONES } from './progress.scenarios.ts';
import { REVIEWS } from './reviews.scenarios.ts';
import { REWORKS } from './rework.scenarios.ts';
import { SESSIONS } from './sessions.scenarios.ts';
import { STUCK_ONES } from './stuck.scenarios.ts';
import type { Scenario } from './support/scenario.ts';
import { TAKEN_OVER } from './take-over.scenarios.ts';
import { TOOL_ONES } from './tools.scenarios.ts';
import { WAYS } from './ways.scenarios.ts';
import { WORKFLOW } from './workflow.scenarios.ts';

/** The scenarios of each test file. */
export const FILES: Readonly<Record<string, readonly Scenario[]>> = {
  'crash.test.ts': CRASHES,
  'lost-input.test.ts': LOST_INPUTS,
  'stuck.test.ts': STUCK_ONES,
  'progress.test.ts': STALLED_ONES,
  'dialogs.test.ts': DIALOG_ONES,
  'permissions.test.ts': [...PERMISSIONS, ...TAKEN_OVER],
  'rework.test.ts': REWORKS,
  'sessions.test.ts': SESSIONS,
  'limits.test.ts': LIMIT_ONES,
  'ways.test.ts': WAYS,
  'workflow.test.ts': [...WORKFLOW, ...TOOL_ONES, ...REVIEWS],
  'machine.test.ts': MACHINE_ONES,
  'kills.test.ts': KILLS,
};

/** The page that is written. */
export const PAGE = fileURLToPath(new URL('../../../../docs/recovery-tested.md', import.meta.url));

const HEAD = `# Recovery, as tested on real parts

<!-- Written by \`node apps/cli/tests/recovery/table.ts\` from the scenarios beside it: change them there. -->

Each row is a failure of [recovery.md](recovery.md), provoked with the simulated agent on a real tmux, git and Postgres, a coordinator and a
machine agent in processes of their own, and followed to its end: state, note, error log, question, rules that fired and the words of
\`drover why\`. Times of the policy are made short; counts are the real ones. The tests are in \`apps/cli/tests/recovery\`.
`;

/** The page's whole text. */
export function tablePage(): string {
  const rows = Object.entries(FILES).flatMap(([file, scenarios]) =>
    scenarios.map(({ section, seen, done, title }) => ({ section, cells: [seen, done, `${title} (\`${file}\`)`] })),
  );
  const sections = [...new Set(rows.map(({ section }) => section))].map((section) => {
    const lines = rows.filter((row) => row.section === section).map(({ cells }) => `| ${cells.join(' | ')} |`);
    return [`## ${section}`, '', '| seen | done | shown by |', '| --- | --- | --- |', ...lines, ''].join('\n');
  });
  return [HEAD, ...sections].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, tablePage());
