import { expect, test } from 'vitest';
import { describeOptions } from '../schema/describe.ts';
import { readEnvironment } from '../environment.ts';
import { parseConfig } from './load.ts';
import { readOverrides } from './overrides.ts';

function values(variables: Record<string, string>): Record<string, unknown> {
  const { overrides } = readOverrides(variables);
  return Object.fromEntries(overrides.map(({ path, value }) => [path.join('.'), value]));
}

/** A text that each shape of option takes. */
const SAMPLES = { string: 'x', integer: '42', boolean: 'false', strings: 'a, b', toml: '{ a = 1 }' } as const;

const NAMES = describeOptions().flatMap(({ env, ...option }) => env.map((variable) => ({ ...option, variable })));

test.each(NAMES)('given $variable, when the environment is read, then it sets $key', (option) => {
  const name = option.variable.replace('<NAME>', 'API_2');

  const read = values({ [name]: SAMPLES[option.shape] });

  expect(Object.keys(read)).toContain(option.key.replace('<name>', 'api-2'));
});

test('given texts for every shape, when they are read, then each becomes its type', () => {
  expect(
    values({
      DROVER_DEFAULTS_SESSION_WIDTH: '300',
      DROVER_DEFAULTS_SKIP_PERMISSIONS: '0',
      DROVER_DEFAULTS_ALLOWED_TOOLS: 'Read, Grep',
      DROVER_REPO_COPY_FILES: '["a,b", ".env"]',
      DROVER_REPO_VALIDATE: '[["npm", "test"]]',
      DROVER_POLICY: '{ crash = { budget = 4 } }',
    }),
  ).toEqual({
    'defaults.session_width': 300,
    'defaults.skip_permissions': false,
    'defaults.allowed_tools': ['Read', 'Grep'],
    'repo.copy_files': ['a,b', '.env'],
    'repo.validate': [['npm', 'test']],
    policy: { crash: { budget: 4 } },
  });
});

test('given several names for the database, when they are read, then the more exact name wins', () => {
  const both = { DATABASE_URL: 'postgres://a/x', DROVER_DATABASE_URL: 'postgres://b/x' };

  expect(values(both)).toEqual({ 'coordinator.database_url': 'postgres://b/x' });
  expect(values({ ...both, DROVER_COORDINATOR_DATABASE_URL: 'postgres://c/x' })).toEqual({
    'coordinator.database_url': 'postgres://c/x',
  });
});

test('given a worker whose name ends like a key, when its role prompt is set, then the longest key wins', () => {
  expect(values({ DROVER_WORKERS_A_ROLE_PROMPT: 'x', DROVER_WORKERS_B_ROLE: 'y' })).toEqual({
    'workers.a.role_prompt': 'x',
    'workers.b.role': 'y',
  });
});

test('given an empty variable, when the environment is read, then it counts as unset', () => {
  expect(readEnvironment({ DROVER_ROOT: '', DROVER_TOKEN: 't' })).toMatchObject({ root: undefined, token: 't' });
  expect(readEnvironment({ DROVER_DEFAULTS_MODEL: '' }).variables).toEqual({});
});

test('given a misspelt variable, when it is read, then a warning names the nearest one and nothing fails', () => {
  const environment = readEnvironment({ DROVER_DEFAULTS_MODLE: 'opus', DROVER_AGENT_SOCKET: '/run/x' });

  const outcome = parseConfig('', { root: '/srv/shop', environment });

  expect(outcome).toMatchObject({
    kind: 'loaded',
    warnings: ['the environment variable DROVER_DEFAULTS_MODLE is not an option; did you mean DROVER_DEFAULTS_MODEL?'],
  });
});

test('given a number that is none, when it is loaded, then the problem names the variable and quotes the text', () => {
  const environment = readEnvironment({ DROVER_DEFAULTS_SESSION_WIDTH: 'wide' });

  const outcome = parseConfig('', { root: '/srv/shop', environment });

  expect(outcome).toMatchObject({
    kind: 'invalid',
    problems: [
      {
        message: 'defaults.session_width: expected integer from 80 to 2000, got the string "wide"',
        origin: { kind: 'environment', variable: 'DROVER_DEFAULTS_SESSION_WIDTH' },
      },
    ],
  });
});
