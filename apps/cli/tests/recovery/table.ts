/** Table of the recovery policy's rows and their tests on real parts. Writes docs/proof/recovery.md: run this file. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CRASHES } from './sessions/crash.scenarios.ts';
import { DIALOG_ONES } from './dialogs/dialogs.scenarios.ts';
import { KILLS } from './sessions/killed-coordinator.scenarios.ts';
import { LIMIT_ONES } from './accounts/limits.scenarios.ts';
import { LOST_INPUTS } from './turns/lost-input.scenarios.ts';
import { PERMISSIONS } from './dialogs/permissions.scenarios.ts';
import { MACHINE_ONES } from './machines/lost-machine.scenarios.ts';
import { STALLED_ONES } from './turns/no-progress.scenarios.ts';
import { REVIEWS } from './workers/reviews.scenarios.ts';
import { REWORKS } from './workers/failed-accept.scenarios.ts';
import { SESSIONS } from './sessions/lost-sessions.scenarios.ts';
import { STUCK_ONES } from './turns/stuck.scenarios.ts';
import type { Scenario } from './support/scenario.ts';
import { TAKEN_OVER } from './dialogs/take-over.scenarios.ts';
import { TRUST_ONES } from './dialogs/trust.scenarios.ts';
import { TOOL_ONES } from './workers/tool-failures.scenarios.ts';
import { WAYS } from './sessions/alternatives.scenarios.ts';
import { WORKFLOW } from './workers/blocked-start.scenarios.ts';

/** The scenarios of each test file. */
export const FILES: Readonly<Record<string, readonly Scenario[]>> = {
  'sessions/sessions.nightly.test.ts': [...CRASHES, ...SESSIONS],
  'turns/turns.nightly.test.ts': [...LOST_INPUTS, ...STUCK_ONES, ...STALLED_ONES],
  'dialogs/dialogs.nightly.test.ts': [...DIALOG_ONES, ...PERMISSIONS, ...TAKEN_OVER, ...TRUST_ONES],
  'workers/failed-accept.nightly.test.ts': REWORKS,
  'accounts/limits.nightly.test.ts': LIMIT_ONES,
  'sessions/alternatives.nightly.test.ts': WAYS,
  'workers/start-tools-review.nightly.test.ts': [...WORKFLOW, ...TOOL_ONES, ...REVIEWS],
  'machines/lost-machine.nightly.test.ts': MACHINE_ONES,
  'sessions/killed-coordinator.nightly.test.ts': KILLS,
};

/** Scenarios that `npm test` plays, in a file of their own. */
export const SAMPLES: readonly Scenario[] = Object.values(FILES)
  .flat()
  .filter(({ isSample }) => isSample === true);

/** The written page. */
export const PAGE = fileURLToPath(new URL('../../../../docs/proof/recovery.md', import.meta.url));

const SAMPLES_FILE = 'samples.test.ts';

const HEAD = `# Recovery, as tested on real parts

<!-- Written by \`node apps/cli/tests/recovery/table.ts\` from the scenarios beside it: change them there. -->

Each row is a failure of [the reference of recovery](../recovery-reference.md), provoked with the simulated agent on a real tmux, git and Postgres, a coordinator and a
machine agent in processes of their own, and followed to its end: state, note, error log, question, rules that fired and the words of
\`drover why\`. Times of the policy are made short; counts are the real ones. The tests are in \`apps/cli/tests/recovery\`: \`samples.test.ts\` is
played by \`npm test\`, the others by \`npm run nightly\`.
`;

/** Makes the page's whole text. */
export function tablePage(): string {
  const rows = Object.entries(FILES).flatMap(([file, scenarios]) =>
    scenarios.map(({ section, seen, done, title, isSample }) => ({
      section,
      cells: [seen, done, `${title} (\`${isSample === true ? SAMPLES_FILE : file}\`)`],
    })),
  );
  const sections = [...new Set(rows.map(({ section }) => section))].map((section) => {
    const lines = rows.filter((row) => row.section === section).map(({ cells }) => `| ${cells.join(' | ')} |`);
    return [`## ${section}`, '', '| seen | done | shown by |', '| --- | --- | --- |', ...lines, ''].join('\n');
  });
  return [HEAD, ...sections].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, tablePage());
