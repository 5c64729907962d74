import { FLOW_LIMITS } from '@drover/core';
import { describe, expect, test } from 'vitest';
import { BUILT_IN_FLOWS } from './built-in.ts';
import { parseFlow } from './parse.ts';
import type { FlowNames } from './parse.ts';

function problemsOf(text: string, names: FlowNames = { name: 'own' }): readonly string[] {
  const outcome = parseFlow(text, names);
  return outcome.kind === 'invalid' ? outcome.problems : [];
}

const BUILD = '[build]\nask = "Do it"\n';

describe('flows that Drover brings', () => {
  test('given each of them, when it is parsed, then it is a flow, and its order is the order of its text', () => {
    const kinds = Object.entries(BUILT_IN_FLOWS).map(([name, text]) => {
      const outcome = parseFlow(text, { name, roles: ['developer', 'reviewer', 'researcher'], profiles: ['claude'] });
      expect(outcome).toMatchObject({ kind: 'flow' });
      return outcome.kind === 'flow' ? outcome.flow.stages.map(({ kind }) => kind) : [];
    });

    expect(kinds).toEqual([
      ['task', 'check', 'review', 'accept'],
      ['task', 'gate', 'each', 'join', 'review', 'accept'],
      ['each', 'task'],
    ]);
  });

  test('given the flow split, when it is saved and edited, then what was edited is in the flow', () => {
    const edited = (BUILT_IN_FLOWS['split'] ?? '')
      .replace('workers = 4', 'workers = 2, tokens = "4M", money = "$20"')
      .replace('ask = "{{part.prompt}}"', 'ask = "{{part.prompt}}"\ntime = "1h30m"\ncheck = ["npm test"]');
    const outcome = parseFlow(edited, { name: 'mine' });

    expect(outcome).toMatchObject({
      kind: 'flow',
      flow: {
        name: 'mine',
        budget: { workers: 2, tokens: 4_000_000, money: 20 },
        stages: [{}, {}, { kind: 'each', check: ['npm test'], budget: { timeMs: 5_400_000 } }, {}, {}, {}],
      },
    });
  });
});

describe('flows that are refused, with the line', () => {
  test.each([
    ['an unknown key', `${BUILD}trys = 2\n`, 'line 3: "trys" is no key of a stage that has ask; did you mean "tries"?'],
    [
      'an unknown key of the flow',
      `budgets = "x"\n${BUILD}`,
      'line 1: "budgets" is no key of a flow; did you mean "budget"?',
    ],
    ['no stage', 'budget = { time = "1h" }\n', 'line 1: a flow needs at least one stage, such as [build]'],
    [
      'a stage that does nothing',
      '[build]\nrole = "developer"\n',
      'line 1: stage "build" does nothing: it needs ask, each, join, check, of, gate or accept',
    ],
    [
      'an unknown stage',
      `${BUILD}[merge]\naccept = "biuld"\n`,
      'line 4: merge.accept: "biuld" is no stage before it; did you mean "build"?',
    ],
    [
      'a need that comes later',
      `[merge]\naccept = "build"\n${BUILD}`,
      'line 2: merge.accept: stage "build" comes later; a need must come before',
    ],
    [
      'an unknown placeholder',
      `inputs = { goal = "text" }\n[build]\nask = "{{gaol}}"\n`,
      'line 3: {{gaol}} names nothing; did you mean "goal"?',
    ],
    [
      'a placeholder that comes later',
      `[build]\nask = "{{plan.summary}}"\n[plan]\nask = "Plan"\nreturns = "parts"\n`,
      'line 2: {{plan.summary}}: stage "plan" comes later; a need must come before',
    ],
    [
      'a part outside of parts',
      '[build]\nask = "{{part.prompt}}"\n',
      'line 2: {{part.prompt}}: only a stage with each = "… .parts" has a part',
    ],
    [
      'a value of a stage that gives none',
      `${BUILD}[two]\nask = "{{build.parts}}"\n`,
      'line 4: {{build.parts}} names nothing; did you mean "build.parts"?',
    ],
    [
      'a wrong time',
      `${BUILD}time = "90 minutes"\n`,
      'line 3: build.time: expected a time such as "90m", "6h" or "1h30m", got "90 minutes"',
    ],
    [
      'a budget above that of the run',
      `budget = { time = "1h" }\n${BUILD}time = "2h"\n`,
      'line 4: build.time is above that of the whole run',
    ],
    [
      'a review of parts',
      `[plan]\nask = "Plan"\nreturns = "parts"\n[review]\nof = "plan"\n`,
      'line 5: review.of: stage "plan" does not give what this needs',
    ],
    [
      'parts of a report',
      `[plan]\nask = "Plan"\nreturns = "report"\n[build]\neach = "plan.parts"\nask = "x"\n`,
      'line 5: build.each: stage "plan" does not give what this needs',
    ],
    [
      'a check with nothing to check',
      '[test]\ncheck = ["npm test"]\n',
      'line 2: test: no stage before it gives a commit to check',
    ],
    [
      'a name of a stage',
      '[Build]\nask = "x"\n',
      'line 1: "Build" is no name of a stage: expected small letters, digits and "-", and not "part"',
    ],
    ['no text', '[build]\nask = ""\n', 'line 2: build.ask: expected a text, got ""'],
    ['no TOML', '[build\n', 'line 1: is not TOML'],
  ])('given %s, when it is parsed, then it is refused', (_what, text, problem) => {
    expect(problemsOf(text).join('\n')).toContain(problem.replace('; did you mean "build.parts"?', ''));
  });

  test('given unknown roles and profiles, when they are known elsewhere, then the nearest is named', () => {
    const text = `${BUILD}role = "develper"\nprofile = "cluade"\n`;
    expect(problemsOf(text, { name: 'own', roles: ['developer'], profiles: ['claude'] })).toEqual([
      'line 3: build.role: there is no role "develper"; did you mean "developer"?',
      'line 4: build.profile: there is no profile "cluade"; did you mean "claude"?',
    ]);
  });

  test('given a name of a command, when a flow is named so, then it is refused', () => {
    expect(problemsOf(BUILD, { name: 'retry' })).toEqual([
      'line 1: a flow cannot be named "retry": that is a command of drover run',
    ]);
  });

  test('given too many stages, or too large a file, when it is parsed, then it is refused', () => {
    const many = Array.from({ length: FLOW_LIMITS.stagesMax + 1 }, (_, at) => `[s${at}]\nask = "x"\n`).join('');
    expect(problemsOf(many)).toEqual(['line 25: expected at most 12 stages, got 13']);
    expect(problemsOf(`${BUILD}# ${'x'.repeat(FLOW_LIMITS.bytesMax)}`)[0]).toContain('expected at most 32768 bytes');
  });
});
