/** A person works in the session by hand: Drover types nothing there until the person gives the session back. */
import { expect } from 'vitest';
import { untilChecked, typeByHand } from '../support/by-hand.ts';
import { type Scenario } from '../support/scenario.ts';

/** A policy that would answer every dialog, and checks often. */
const EAGER = '[policy]\ncheckEveryMs = 500\n[policy.dialogs]\npermission = "allow"\n';

/** Scenarios of dialogs.nightly.test.ts, too. */
export const TAKEN_OVER: readonly Scenario[] = [
  {
    section: 'What a person can answer',
    seen: 'a person answers "take over"',
    done: 'Left alone: nothing is typed and no dialog is answered, until the next request gives it back',
    title:
      'given a worker that a person has taken over, when its agent works, asks and stops, then Drover types nothing until it is given back',
    worker: 'mine',
    settings: 'excluded_from_pool = true\nallowed_tools = ["Read"]',
    policy: EAGER,
    prompt: 'STEADY; ASKTEXT What now?',
    act: async (scene) => {
      await scene.reach('needs_input', /stopped/u);
      await scene.answer('take-over');
      await scene.reach('needs_input', /works there by hand/u);
      await typeByHand(scene, 'WAITFILE enough; PERMISSION Bash touch by-hand.txt');
      await untilChecked(scene, 5);
      await scene.touch('enough');
      await scene.witnessed('dialog-opened', 'permission');
      await untilChecked(scene, 3);
      await scene.keys('1');
      await scene.fileThere('by-hand.txt');
      await untilChecked(scene, 3);
      expect(scene.taken('')).toBe(2);
      await scene.message('COMMIT given back');
    },
    end: {
      status: 'needs_review',
      // A person took it over: no recovery of Drover's.
      errors: { AGENT_BLOCKED: 'open' },
      rules: ['answer:take-over', 'message', 'taken:message', 'commit-found'],
      why: /answered by a message/u,
      commits: ['given back'],
      taken: { 'WAITFILE enough': 1, 'COMMIT given back': 1 },
    },
  },
];
