/** Losses of the machine: the agent dies or is cut off beyond the lease; and sessions that are missing in the database. */
import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import { heard } from '../support/accounts.ts';
import { knowsNoSession, knowsSession, lost } from '../support/machine.ts';
import { committing, type Scenario } from '../support/scenario.ts';

const LOST = 'A machine that is lost';
const GONE = 'Session gone';

/** Lines of drover.toml for these scenarios beside the common ones: a lease of seconds. */
export const MACHINE_CONFIG = [
  '[defaults]\npatrol_interval_secs = 1\n',
  '[coordinator]\nsuspect_after_secs = 4\ndisconnected_after_secs = 6\n',
].join('');

/** Scenarios of lost-machine.nightly.test.ts, one after the other: they share the machine. */
export const MACHINE_ONES: readonly Scenario[] = [
  {
    section: LOST,
    seen: 'the machine agent was killed, and is silent for longer than its lease',
    done: 'A person is asked, once; its panes work on. That is over as soon as it is back',
    title:
      'given a machine agent that is killed, when it is silent beyond its lease, then a person is asked, the pane works on, and nothing comes twice when it is back',
    worker: 'killed',
    prompt: committing('while nobody watched', 'WAITFILE go'),
    act: async (scene) => {
      await heard(scene, 'checkpoint:session_start');
      await scene.stand.agent.kill();
      await lost(scene);
      await scene.touch('go');
      await scene.committed('while nobody watched');
      await lost(scene);
      scene.stand.agent.start();
    },
    end: {
      status: 'needs_review',
      errors: { MACHINE_LOST: 'recovered' },
      rules: ['taken:task', 'machine-lost', 'machine-back', 'commit-found'],
      why: /its machine has been silent for \d+ s/u,
      taken: { 'while nobody watched': 1 },
      commits: ['while nobody watched'],
    },
  },
  {
    section: LOST,
    seen: 'the network to the machine is cut for longer than its lease',
    done: 'A person is asked, once; what the machine saw meanwhile is told when it is back',
    title:
      'given a machine that is cut off, when its agent crashes beyond the lease, then a person is asked, and it is restarted once when the network is back',
    worker: 'islander',
    prompt: committing('on the island', 'ONCE: WAITFILE crash', 'ONCE: CRASH 3'),
    act: async (scene) => {
      await scene.fired('taken:task');
      scene.stand.network.cut();
      await lost(scene);
      await scene.touch('crash');
      await scene.witnessed('exit');
      rmSync(`${scene.worktree}/crash`);
      await lost(scene);
      scene.stand.network.mend();
    },
    end: {
      status: 'needs_review',
      errors: { MACHINE_LOST: 'recovered', AGENT_CRASHED: 'recovered' },
      rules: ['taken:task', 'machine-lost', 'machine-back', 'exit:crash', 'taken:restored', 'commit-found'],
      why: /its machine has been silent for \d+ s/u,
      taken: { 'on the island': 2, 'cut off': 1 },
      commits: ['on the island'],
    },
  },
  {
    section: GONE,
    seen: 'a session of a worker that has none on record',
    done: 'Taken over',
    title:
      'given a session that its row knows nothing of, when its machine is back, then it is taken over by its identity, its agent is left alone and the work goes on',
    worker: 'adopted',
    prompt: committing('in an adopted session', 'WAITFILE go'),
    act: async (scene) => {
      await heard(scene, 'checkpoint:session_start');
      await knowsNoSession(scene);
      await knowsSession(scene);
      await scene.touch('go');
      await scene.reach('needs_review');
      expect(scene.agentPids().size).toBe(1);
    },
    end: {
      status: 'needs_review',
      errors: {},
      // Coordinator and machine start again meanwhile, which can take longer than the short lease.
      mayAlso: ['MACHINE_LOST'],
      rules: ['taken:task', 'commit-found'],
      why: /committed "in an adopted session"/u,
      taken: { 'in an adopted session': 1 },
      commits: ['in an adopted session'],
    },
  },
];
