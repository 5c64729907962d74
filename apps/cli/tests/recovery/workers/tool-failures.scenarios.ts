/** Tools that fail inside a turn, reported by the real hook: work for later, or a person at once. */
import { expect } from 'vitest';
import { committing, type Scenario } from '../support/scenario.ts';

const TOOLS = "Tool failures inside an agent's turn";

/** Output of a package manager without a network. */
const UNREACHABLE = 'FAILTOOL npm error code ENOTFOUND npm error network request to https://registry.example failed';

/** Scenarios of start-tools-review.nightly.test.ts. */
export const TOOL_ONES: readonly Scenario[] = [
  {
    section: TOOLS,
    seen: 'syntax',
    done: 'Work item S0 with file and line; done when the task comes to review',
    title:
      'given a compiler that finds a fault, when its hook tells, then an item S0 with file and line waits until its finder has done the task',
    worker: 'typist',
    prompt: committing('types again', "FAILTOOL src/a.ts(10,5): error TS1005: ';' expected.", 'WAITFILE go'),
    act: async (scene) => {
      const item = await scene.queueItem(/./u);
      expect(item).toMatchObject({ priority: 'S0', status: 'open' });
      expect(item.body).toContain('src/a.ts:10');
      await scene.touch('go');
      await scene.reach('needs_review');
      expect(await scene.queueItem(/./u)).toMatchObject({ status: 'done' });
    },
    end: {
      status: 'needs_review',
      errors: { TOOL_FAILED: 'recovered' },
      rules: ['tool-failed:syntax', 'commit-found'],
      why: /TOOL_FAILED/u,
      commits: ['types again'],
    },
  },
  {
    section: TOOLS,
    seen: 'any, and its agent is ended by its user',
    done: 'The error is called off with the task',
    title:
      'given a tool that failed, when its agent is ended without a commit, then its error is called off with the task',
    worker: 'quitter',
    prompt: "FAILTOOL src/b.ts(10,5): error TS1005: ';' expected.\nWAITFILE go\nEXIT",
    act: async (scene) => {
      await scene.fired('tool-failed:syntax');
      await scene.touch('go');
      await scene.fired('ended-by-user');
      const mine = ['report', 'errors', '--worker', 'quitter'];
      expect((await scene.drover(...mine)).stdout).toContain('No open errors');
      expect((await scene.drover(...mine, '--all')).stdout).toContain('called off');
    },
    end: {
      status: 'idle',
      errors: { TOOL_FAILED: 'called off' },
      rules: ['tool-failed:syntax', 'exit:user', 'ended-by-user'],
      why: /TOOL_FAILED/u,
      commits: [],
    },
  },
  {
    section: TOOLS,
    seen: 'network',
    done: 'Three retries are advised; then work item S1',
    title:
      'given a network that is away, when a command failed for the fourth time, then an item S1 is filed and the task goes on',
    worker: 'offshore',
    prompt: committing('without the network', ...Array.from({ length: 4 }, () => UNREACHABLE)),
    act: async (scene) => {
      expect(await scene.queueItem(/./u)).toMatchObject({ priority: 'S1', occurrences: 1 });
    },
    end: {
      status: 'needs_review',
      errors: { NETWORK_ERROR: 'recovered' },
      rules: [...Array.from({ length: 4 }, () => 'tool-failed:network'), 'commit-found'],
      why: /NETWORK_ERROR/u,
      commits: ['without the network'],
    },
  },
  {
    section: TOOLS,
    seen: 'permission',
    done: 'A person at once, with what is needed; the worker goes on with other work',
    title:
      'given a tool that may not, when its hook tells, then a person is asked at once, and their words reach the agent',
    worker: 'denied',
    prompt: 'FAILTOOL cat: /etc/shadow: Permission denied\nWAITFILE go\nASKTEXT What now?',
    act: async (scene) => {
      await scene.fired('tool-failed:permission');
      await scene.answer('tool-other-way', committing('another way'));
      await scene.touch('go');
    },
    end: {
      status: 'needs_review',
      errors: { PERMISSION_DENIED: 'recovered' },
      rules: ['tool-failed:permission', 'tool-answered:tool-other-way', 'taken:message', 'commit-found'],
      why: /PERMISSION_DENIED/u,
      taken: { 'another way': 1 },
      commits: ['another way'],
    },
  },
];
