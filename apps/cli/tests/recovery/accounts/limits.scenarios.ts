/** Limits: stated or not, met by one worker and shared by its whole account, seen when a program ends, and never over. */
import { expect } from 'vitest';
import { accountOf, heard, heardSoFar } from '../support/accounts.ts';
import { committing, LEVEL_4, type Scenario } from '../support/scenario.ts';
import { Scene } from '../support/scene.ts';

const ERRORS = 'Errors that the agent shows';
const SHARED = 'Limits shared by an account';

/** Scenarios of limits.nightly.test.ts. Each scenario has a profile of its own, and so an account of its own. */
export const LIMIT_ONES: readonly Scenario[] = [
  {
    section: ERRORS,
    seen: 'a usage or rate limit with a reset time',
    done: 'Sleeps until then, plus a spread, then asked to go on',
    title:
      'given a limit that says when it resets, when that time has come, then the agent is asked to go on, and not before',
    worker: 'stated',
    profile: {},
    // Long enough to be observed on a loaded machine.
    prompt: 'USAGE in 30s',
    act: async (scene) => {
      await scene.reach('working', /waits for a limit to reset/u);
      await accountOf(scene, { state: 'paused', stated: true });
      await scene.reach('needs_review');
      expect(scene.pauses()).toEqual([expect.toSatisfy((ms: number) => ms >= 29_000)]);
    },
    end: {
      status: 'needs_review',
      errors: { USAGE_LIMIT: 'recovered' },
      rules: ['agent-error:usage-limit', 'taken:continue', 'commit-found'],
      why: /for the limit to reset/u,
    },
  },
  {
    section: ERRORS,
    seen: 'a limit that does not say when',
    done: 'Asked to go on after `limit.waitMs`, doubled each time',
    title:
      'given a limit that does not say when it resets, when it holds at the first try, then the second wait is twice as long',
    worker: 'unstated',
    profile: {},
    prompt: 'LIMITS 1; RATE later',
    act: async (scene) => {
      await scene.reach('needs_review');
      // The account waits 2 s and then 4 s, each with up to 20 % more.
      expect(scene.pauses()).toEqual([
        expect.toSatisfy((ms: number) => ms >= 2_000),
        expect.toSatisfy((ms: number) => ms >= 4_000),
      ]);
    },
    end: {
      status: 'needs_review',
      errors: { USAGE_LIMIT: 'recovered' },
      rules: ['agent-error:usage-limit', 'taken:continue', 'agent-error:usage-limit', 'taken:continue', 'commit-found'],
      why: /for the limit to reset/u,
    },
  },
  {
    section: ERRORS,
    seen: '`limit.attemptsMax` waits, and the limit holds',
    done: '`error`, and a person is told',
    title: 'given a limit that is never over, when it was waited for as often as allowed, then a person is asked',
    worker: 'forever',
    profile: {},
    policy: '[policy.limit]\nattemptsMax = 2\n',
    prompt: 'LIMITS 9; RATE later',
    end: {
      status: 'error',
      note: /a limit still holds after 2 tries/u,
      errors: { USAGE_LIMIT: 'open' },
      rules: ['agent-error:usage-limit', 'give-up:USAGE_LIMIT'],
      asks: { title: /a limit still holds/u, options: LEVEL_4 },
      why: /drover answer \S+ --option retry /u,
    },
  },
  {
    section: SHARED,
    seen: 'one worker of an account meets a limit',
    done: 'All of them are paused; one tries, and when it works the others go on',
    title:
      'given two workers of one account, when one meets a limit, then nothing is typed to the other until the first one works again',
    worker: 'first',
    others: ['second'],
    profile: {},
    prompt: null,
    act: async (scene) => {
      const second = new Scene(scene.stand, { worker: 'second' });
      await second.begin('ASKTEXT What now?');
      await second.reach('needs_input');
      await scene.begin('RATE in 6s');
      await heard(second, 'account:paused');
      await second.message('WRITE as-told.txt done; COMMIT as told');
      await second.reach('needs_review');
      const [tried, told] = [scene.takenAt('The last turn ended with an error'), second.takenAt('COMMIT as told')];
      expect([tried.length, told.length]).toEqual([1, 1]);
      expect(told[0]).toBeGreaterThan(tried[0] ?? Number.POSITIVE_INFINITY);
      expect(await heardSoFar(second)).not.toContain('account:probe');
    },
    end: {
      status: 'needs_review',
      errors: { USAGE_LIMIT: 'recovered' },
      rules: ['agent-error:usage-limit', 'taken:continue', 'commit-found'],
      why: /for the limit to reset/u,
    },
  },
  {
    section: 'Session crash',
    seen: 'the last screen showed a usage or rate limit',
    done: 'Restart after `crash.limitWaitMs`; not counted as a crash',
    title:
      'given an agent at a limit, when it is killed there, then it is started again after the wait and nothing counts as a crash',
    worker: 'cutoff',
    profile: {},
    // The worker is up again before its account may be tried: texts for it have to wait.
    policy: '[policy.crash]\nlimitWaitMs = 300\n',
    prompt: committing('after a limit at the end', 'ONCE: RATE in 20s'),
    act: async (scene) => {
      await scene.reach('working', /waits for a limit to reset/u);
      // Killed before that, the agent would be gone when the command answers its dialog.
      await scene.fired('answered');
      scene.killAgent();
      await scene.reach('needs_review');
      expect((await scene.view())?.crashes).toBe(0);
    },
    end: {
      status: 'needs_review',
      errors: { USAGE_LIMIT: 'recovered' },
      rules: ['exit:limit', 'restore', 'taken:restored', 'commit-found'],
      why: /its agent ended at a limit/u,
      taken: { 'after a limit at the end': 2 },
      commits: ['after a limit at the end'],
    },
  },
];
