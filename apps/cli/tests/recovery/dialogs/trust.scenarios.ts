/** Dialogs that ask for trust at the start of a program: one question for all workers of the project. */
import { expect } from 'vitest';
import { committing, type Scenario } from '../support/scenario.ts';
import { Scene } from '../support/scene.ts';

const START_UP = 'Start-up';
const YES = 'Yes, allow external imports';

/** Scenarios of dialogs.nightly.test.ts, too. */
export const TRUST_ONES: readonly Scenario[] = [
  {
    section: START_UP,
    seen: 'two programs ask for a trust that nobody has decided on',
    done: 'One question, and the answer holds for the project',
    title:
      'given two workers whose programs ask for the same trust, when a person answers once, then both go on, no program was ended, and the next worker is not asked about',
    worker: 'importer',
    others: ['reimporter', 'latecomer'],
    profile: { args: ['--api-key-dialog', '--imports-dialog'] },
    prompt: null,
    act: async (scene) => {
      const [second, third] = ['reimporter', 'latecomer'].map((worker) => new Scene(scene.stand, { worker }));
      if (second === undefined || third === undefined) throw new Error('There are three workers');
      await Promise.all([scene, second].map((one) => one.addWorker()));
      await Promise.all([scene, second].map((one) => one.reach('error', /Allow external CLAUDE\.md file imports/u)));
      const ids = (await Promise.all([scene.asked(), second.asked()])).map(({ id }) => id);
      expect(new Set(ids).size).toBe(1);
      const viewer = await scene.tokenOf('looker', 'viewer');
      await expect(scene.droverAs(viewer, 'answer', ids[0] ?? '', '--option', YES)).rejects.toThrow(/viewer/u);

      await scene.answer(YES);

      await Promise.all([scene, second].map((one) => one.reach('idle')));
      await third.begin(committing('without a question'));
      await third.reach('needs_review');
      for (const one of [scene, second, third]) {
        await one.witnessed('dialog-answered', '"answer":"No"');
        await one.witnessed('dialog-answered', YES);
        expect(one.agentPids().size).toBe(1);
      }
      const { stdout } = await scene.drover('project', 'trust', 'root');
      expect(stdout).toMatch(/imports +trusted /u);
      expect(stdout).toMatch(/api-key +refused unless trusted/u);
      await scene.start(committing('with its imports'));
    },
    end: {
      status: 'needs_review',
      errors: { AGENT_BLOCKED: 'recovered' },
      rules: ['trust:api-key', 'asks:trust', 'answer:option', 'answered', 'came-up', 'commit-found'],
      why: /trust in imports was given for all workers of its project/u,
      commits: ['with its imports'],
    },
  },
];
