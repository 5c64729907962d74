/** Work that fails: checks that fail before it waits for review, and conflicts with the default branch. */
import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { acceptUntil, colleagueCommits, operationOf } from '../support/by-hand.ts';
import { committing, LEVEL_4, type Scenario } from '../support/scenario.ts';
import type { Scene } from '../support/scene.ts';

const MERGE = 'Merge';

/** The project's check, whose output goes to the agent; the simulated agent obeys the output. */
const CHECK = [
  'for file in verdict-*.txt; do case "$(cat "$file" 2>/dev/null)" in',
  'bad*) echo "WRITE $file good; COMMIT mended as told"; exit 1;;',
  'hopeless*) echo "EDIT tries.txt again; COMMIT another try"; exit 1;;',
  'esac; done',
].join(' ');

/** Lines of the project in drover.toml. */
export const REPO = `[repo]\nvalidate = [["sh", "-c", ${JSON.stringify(CHECK)}]]\n`;

/** Makes a line that the simulated agent reads among the conflicting ones: it keeps its own side and continues. */
function resolving(file: string): string {
  const git = 'git -c user.name=Sim -c user.email=sim@localhost -c core.editor=true';
  return `RUN git checkout --theirs ${file} && git add -A && ${git} rebase --continue`;
}

/** Makes work that waits for review, and another change of the same file on the default branch. */
function conflicting(
  worker: string,
  line: string,
): Pick<Scenario, 'worker' | 'prompt'> & { readonly file: string; begin(scene: Scene): Promise<void> } {
  const file = `shared-${worker}.txt`;
  return {
    worker,
    file,
    prompt: `STEADY\nWRITE ${file} my side\nCOMMIT my side of ${worker}`,
    begin: async (scene) => {
      await scene.reach('needs_review');
      await colleagueCommits(scene, file, `${line}\n`);
      await scene.accept();
    },
  };
}

const RESOLVED = conflicting('resolved', resolving('shared-resolved.txt'));
const ABORTED = conflicting('aborted', 'RUN git rebase --abort');
const HELPLESS = conflicting('helpless', 'STEADY\nSAY I do not know which side is right');
const LOOPING = conflicting('looping', resolving('shared-looping.txt'));

/** Scenarios of failed-accept.nightly.test.ts. */
export const REWORKS: readonly Scenario[] = [
  {
    section: MERGE,
    seen: 'a check of the project fails when a turn ends with a commit',
    done: 'Its output goes to the agent; what it commits then is checked again, before anybody is asked to review',
    title:
      'given work that fails a check, when the agent has mended it as the output says, then it waits for review and is merged',
    worker: 'mended',
    prompt: committing('to be checked', 'WRITE verdict-mended.txt bad'),
    act: async (scene) => {
      await scene.fired('review:invalid');
      await scene.reach('needs_review', /mended as told/u);
      await scene.merge();
    },
    end: {
      status: 'idle',
      note: /its work was merged/u,
      errors: { VALIDATION_FAILED: 'recovered' },
      rules: [
        'review:invalid',
        'taken:validation',
        'commit-found',
        'recovered:VALIDATION_FAILED',
        'accept:merged',
        'accept:done',
      ],
      why: /its work was merged/u,
      taken: { 'The check "': 1 },
    },
  },
  {
    section: MERGE,
    seen: 'a check that still fails after `incident.maxAttemptsPerError` repairs (here 1)',
    done: 'Back to the last checkpoint, and the task again; then a person is asked',
    title: 'given work that never passes its check, when repair and checkpoint did not help, then a person is asked',
    worker: 'hopeless',
    policy: '[policy.incident]\nmaxAttemptsPerError = 1\n',
    prompt: 'EDIT tries.txt first; WRITE verdict-hopeless.txt hopeless; COMMIT a first try',
    act: async (scene) => {
      await scene.fired('review:invalid', 3);
    },
    end: {
      status: 'error',
      note: /the check .* failed/u,
      errors: { VALIDATION_FAILED: 'open' },
      rules: [
        'review:invalid',
        'taken:validation',
        'commit-found',
        'review:invalid',
        'alternative:rollback',
        'restored-checkpoint',
        'taken:restored',
        'commit-found',
        'review:invalid',
        'give-up:VALIDATION_FAILED',
      ],
      asks: { title: /the check .* failed/u, options: LEVEL_4 },
      why: /restore checkpoint/u,
      taken: { 'The check "': 1, 'cut off': 1 },
    },
  },
  {
    section: MERGE,
    seen: 'conflicts with the default branch',
    done: 'The agent resolves them, git judges, and the work can be accepted',
    title: 'given conflicts, when the agent has resolved them and git agrees, then the work is accepted and merged',
    ...RESOLVED,
    act: async (scene) => {
      await RESOLVED.begin(scene);
      await scene.fired('recovered:REBASE_CONFLICT');
      await scene.merge();
    },
    end: {
      status: 'idle',
      note: /its work was merged/u,
      errors: { REBASE_CONFLICT: 'recovered' },
      rules: [
        'accept:conflict',
        'taken:conflict',
        'rebase-over',
        'recovered:REBASE_CONFLICT',
        'accept:merged',
        'accept:done',
      ],
      why: /its work was merged/u,
      taken: { 'Goal: every conflict resolved': 1 },
    },
  },
  {
    section: MERGE,
    seen: 'the agent gives the rebase up',
    done: '`needs_review` as it was, with a note; no half-done rebase is left',
    title: 'given conflicts, when the agent aborts the rebase, then its work waits for review as it was',
    isLast: true,
    ...ABORTED,
    act: async (scene) => {
      await ABORTED.begin(scene);
      await scene.fired('rebase-aborted');
      expect(operationOf(scene)).toBe('none');
    },
    end: {
      status: 'needs_review',
      note: /aborted the rebase/u,
      errors: { REBASE_CONFLICT: 'open', REBASE_ABORTED: 'open' },
      rules: ['accept:conflict', 'taken:conflict', 'rebase-aborted'],
      why: /its agent aborted the rebase/u,
      commits: ['my side of aborted'],
    },
  },
  {
    section: MERGE,
    seen: 'the agent stops with conflicts left, also after it was helped',
    done: '`error`, and a person is asked; the next task finds a clean worktree',
    title:
      'given conflicts, when the agent has stopped twice with some left, then a person is asked, and after "skip" no half-done rebase is left',
    ...HELPLESS,
    act: async (scene) => {
      await HELPLESS.begin(scene);
      await scene.reach('error', /stopped with 1 file/u);
      expect(operationOf(scene)).toBe('rebase');
      await scene.answer('skip');
      await scene.reach('idle');
      await scene.start(committing('on a clean worktree'));
      await scene.reach('needs_review');
      expect(operationOf(scene)).toBe('none');
    },
    end: {
      status: 'needs_review',
      errors: { REBASE_CONFLICT: 'recovered', REBASE_STUCK: 'recovered' },
      rules: [
        'accept:conflict',
        'taken:conflict',
        'rebase-stuck',
        'taken:conflict',
        'rebase-stuck',
        'give-up:REBASE_STUCK',
        'answer:skip',
        'commit-found',
      ],
      why: /its agent stopped with unresolved conflicts|committed/u,
      commits: ['on a clean worktree'],
      taken: { 'The rebase is not finished': 1 },
    },
  },
  {
    section: MERGE,
    seen: 'the same conflicts for the third time',
    done: '`error`, and a person is asked',
    title: 'given conflicts that come again after each resolution, when it is the third time, then a person is asked',
    ...LOOPING,
    act: async (scene) => {
      await LOOPING.begin(scene);
      for (let round = 1; round <= 2; round += 1) {
        await scene.fired('recovered:REBASE_CONFLICT', round);
        await scene.reach('needs_review');
        await colleagueCommits(scene, LOOPING.file, `${resolving(LOOPING.file)}\n# change ${round + 1}\n`);
        await acceptUntil(scene, { rule: 'conflict', times: round + 1 });
      }
      await scene.reach('error');
      expect(existsSync(scene.worktree)).toBe(true);
    },
    end: {
      status: 'error',
      note: /the same conflicts came up 3 times: shared-looping\.txt/u,
      errors: { REBASE_CONFLICT: 'recovered', REBASE_CONFLICT_LOOP: 'open' },
      rules: ['conflict', 'rebase-over', 'conflict', 'rebase-over', 'conflict', 'give-up:REBASE_CONFLICT_LOOP'],
      asks: { title: /the same conflicts came up 3 times/u, options: LEVEL_4 },
      why: /drover answer \S+ --option take-over/u,
    },
  },
];
