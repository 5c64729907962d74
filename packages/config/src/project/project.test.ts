import { expect, test } from 'vitest';
import { readEnvironment } from '../environment.ts';
import { parseConfig } from '../load/load.ts';
import type { Config } from '../schema/schema.ts';
import { projectPart, projectSettings } from './project.ts';

function configOf(text: string): Config {
  const outcome = parseConfig(text, { root: '/srv/shop', environment: readEnvironment({}) });
  if (outcome.kind === 'invalid') throw new Error('not a configuration');
  return outcome.config;
}

const DOCUMENT = `[repo]
validate = [["make", "test"]]
[defaults]
model = "small"
[workers.constructor]
role = "tester"
[coordinator]
port = 1
[agent]
workspace = "/w"
`;

test('given a document, when the part about the project is taken out, then it says the same of the project, and the rest is named', () => {
  const { toml, others } = projectPart(DOCUMENT);

  expect(others).toEqual(['coordinator', 'agent']);
  expect(toml).not.toContain('port');
  expect(projectSettings(configOf(toml))).toEqual(projectSettings(configOf(DOCUMENT)));
});

test('given a worker with a table of its own, when its settings are read, then its table counts over the defaults', () => {
  const { workers, validate } = projectSettings(configOf(DOCUMENT));

  expect(validate).toEqual([['make', 'test']]);
  expect(workers.defaults).toMatchObject({ model: 'small', role: 'developer' });
  expect(Object.keys(workers.named)).toEqual(['constructor']);
  expect(workers.named['constructor']).toMatchObject({ model: 'small', role: 'tester' });
});

test('given budgets, when they are read, then they are numbers, and one without a limit is left out', () => {
  const text = '[budget]\nday = { money = "$50", tokens = "20M" }\nworker = {}\n[budget.task]\ntime = "1h30m"\n';

  expect(projectSettings(configOf(text)).budget).toEqual({
    task: { timeMs: 5_400_000, tokens: null, money: null },
    day: { timeMs: null, tokens: 20_000_000, money: 50 },
  });
});
