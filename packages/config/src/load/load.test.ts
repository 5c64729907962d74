import { expect, test } from 'vitest';
import { readEnvironment } from '../environment.ts';
import { parseConfig, type ConfigOutcome } from './load.ts';
import { formatProblem } from './problems.ts';
import type { Config } from '../schema/schema.ts';

type Given = { variables?: Record<string, string>; options?: Record<string, unknown> };

function load(text: string, { variables = {}, options = {} }: Given = {}): ConfigOutcome {
  const environment = readEnvironment({ HOME: '/home/eve', ...variables });
  return parseConfig(text, { root: '/srv/shop', environment, options });
}

function loaded(text: string, given: Given = {}): Config {
  const outcome = load(text, given);
  if (outcome.kind === 'invalid') throw new Error(outcome.problems.map(formatProblem).join('\n'));
  return outcome.config;
}

function problems(text: string, given: Given = {}): string[] {
  const outcome = load(text, given);
  return outcome.kind === 'invalid' ? outcome.problems.map(formatProblem) : [];
}

test('given an empty file, when it is loaded, then every documented default is in place', () => {
  const config = loaded('');

  expect(config.defaults).toEqual({
    profile: 'claude',
    skip_permissions: true,
    allowed_tools: ['Bash', 'Edit', 'Read', 'Write', 'Glob', 'Grep'],
    patrol_interval_secs: 60,
    sound_on_review: true,
    desktop_notices: true,
    role_prompt: '',
    session_width: 500,
    session_height: 50,
  });
  expect(config.repo).toMatchObject({ source: '/srv/shop', run_hooks: false, validate: [] });
  expect(config.coordinator).toMatchObject({ host: '127.0.0.1', log_level: 'info' });
});

test('given a loaded configuration, when somebody writes into it, then it refuses at every depth', () => {
  const config = loaded('[workers.adam]\nallowed_tools = ["Read"]');

  expect(() => Object.assign(config.defaults, { profile: 'codex' })).toThrow(TypeError);
  expect(() => Object.assign(config.workers['adam']?.allowed_tools ?? {}, { 0: 'Bash' })).toThrow(TypeError);
});

test('given option, environment and file at odds, when they are loaded, then option beats environment beats file', () => {
  const text = '[coordinator]\nhost = "a.example"\nport = 1\nlog_level = "warn"';
  const variables = { DROVER_COORDINATOR_HOST: 'b.example', DROVER_COORDINATOR_PORT: '2' };
  const options = { 'coordinator.port': 3, 'coordinator.log_level': undefined };

  const outcome = load(text, { variables, options });

  expect(outcome).toMatchObject({ config: { coordinator: { host: 'b.example', port: 3, log_level: 'warn' } } });
  if (outcome.kind !== 'loaded') return;
  expect(outcome.originOf('coordinator.port')).toEqual({ kind: 'option' });
  expect(outcome.originOf('coordinator.host')).toEqual({ kind: 'environment', variable: 'DROVER_COORDINATOR_HOST' });
  expect(outcome.originOf('coordinator.log_level')).toMatchObject({ kind: 'file', line: 4 });
  expect(outcome.originOf('defaults.model')).toEqual({ kind: 'default' });
});

function source(text: string): string {
  return loaded(`[repo]\nsource = ${JSON.stringify(text)}`).repo.source;
}

test('given relative and home paths and remotes as source, when they are loaded, then only paths become absolute', () => {
  expect(source('../app')).toBe('/srv/app');
  expect(source('~/code/app')).toBe('/home/eve/code/app');
  expect(source('/code/a:b')).toBe('/code/a:b');
  expect(source('https://git.example/app.git')).toBe('https://git.example/app.git');
  expect(source('git@git.example:app.git')).toBe('git@git.example:app.git');
});

test("given a policy of one worker, when it is loaded, then it is that worker's, and checked on top of the project's", () => {
  const text = '[policy.nudge]\nfirstMs = 1_000\nsecondMs = 2_000\n[workers.ada.policy.nudge]\n';

  const policy: object | undefined = loaded(`${text}secondMs = 1_500`).workers['ada']?.policy;

  expect(policy).toEqual({ nudge: { secondMs: 1_500 } });
  expect(problems(`${text}secondMs = 500`)).toEqual([
    '/srv/shop/drover.toml:5: workers.ada.policy.nudge.secondMs: expected at least nudge.firstMs, which is 1000; got 500',
  ]);
});

test('given nested policy numbers, when they are loaded, then they come through, and a text among them is named', () => {
  const policy: object = loaded('[policy.crash]\ncountMax = 4').policy;
  expect(policy).toEqual({ crash: { countMax: 4 } });
  expect(problems('[policy.crash]\ncountMax = "four"').join()).toMatch(
    /^\/srv\/shop\/drover\.toml:2: policy\.crash\.countMax: /u,
  );
  expect(problems('[policy.crash]\ncount = 4').join()).toMatch(
    /^\/srv\/shop\/drover\.toml:2: policy\.crash\.count is not a key of the policy/u,
  );
});

test.each([
  ['[__proto__]\na = 1', 'drover.toml:1: __proto__ is not an option; here may stand defaults, repo, '],
  ['[constructor]\na = 1', 'drover.toml:1: constructor is not an option; here may stand defaults, repo, '],
  ['[defaults]\nmodle = "opus"', 'drover.toml:2: defaults.modle is not an option; did you mean "model"?'],
  ['[default]\nmodel = "opus"', 'drover.toml:1: default is not an option; did you mean "defaults"?'],
  ['model = "opus"', 'drover.toml:1: model is not an option here; did you mean "defaults.model"?'],
  ['[workers.adam]\n\nrol = "x"', 'drover.toml:3: workers.adam.rol is not an option; did you mean "role"?'],
  [
    '[defaults]\npatrol_interval_secs = "sixty"',
    'drover.toml:2: defaults.patrol_interval_secs: expected integer from 1 to 86400, got the string "sixty"',
  ],
  [
    '[defaults]\nsound_on_review = 1',
    'drover.toml:2: defaults.sound_on_review: expected true or false, got the number 1',
  ],
  [
    '[coordinator]\nport = 65536',
    'drover.toml:2: coordinator.port: expected integer from 0 to 65535, got the number 65536',
  ],
  ['[oncall]\nrepeat = 1', 'drover.toml:1: oncall is not an option; did you mean "escalation"?'],
  [
    '[escalation]\nquiet = { from = "22:00", too = "07:00", to = "07:00" }',
    'drover.toml:2: escalation.quiet.too is not an option; did you mean "to"?',
  ],
  ['[escalation]\nquiet = { from = "22:00" }', 'drover.toml:2: escalation.quiet.to is missing: expected a text'],
  [
    '[escalation]\nquiet = { from = "25:00", to = "07:00" }',
    'drover.toml:2: escalation.quiet.from: expected a time of day such as "22:00", got the string "25:00"',
  ],
  [
    '[escalation]\nsteps = [{ after = "10", notify = ["*"] }]',
    'drover.toml:2: escalation.steps.0.after: expected a span such as "30s", "10m", "8h" or "2d", got the string "10"',
  ],
  [
    '[escalation]\nsteps = [{ after = "10m", notify = "ada" }]',
    'drover.toml:2: escalation.steps.0.notify: expected a list, got the string "ada"',
  ],
  [
    '[escalation]\ntimeout = { after = "8h", answer = "yes" }',
    'drover.toml:2: escalation.timeout.answer: expected "skip" or "wait" or "no", got the string "yes"',
  ],
  ['[escalation]\nack_reminder = 30', 'drover.toml:2: escalation.ack_reminder: expected span such as "30m", got the'],
  ['[budget]\nday = { token = 5 }', 'drover.toml:2: budget.day.token is not an option; did you mean "tokens"?'],
  ['[budget.task]\ntokens = "many"', 'drover.toml:2: budget.task.tokens: expected a number of tokens such as "4M"'],
  [
    '[escalation]\nseverity = { NOPE = "fatal" }',
    'drover.toml:2: escalation.severity: "NOPE" is not an error code such as AGENT_BLOCKED',
  ],
  ['defaults = 3', 'drover.toml:1: defaults: expected a table, got the number 3'],
  [
    '[repo]\nvalidate = [\n  "npm test",\n]',
    'drover.toml:2: repo.validate.0: expected list of commands, each a list of words, got the string "npm test"',
  ],
  ['[workers.Adam]\nrole = "x"', 'drover.toml:1: "Adam" cannot be a worker\'s name: use 1 to 31'],
  ['[defaults\nmodel = 1', 'drover.toml:1: is not TOML: '],
])('given %j, when it is loaded, then the problem is told with its line', (text, expected) => {
  const [first, ...more] = problems(text);

  expect(first).toContain(`/srv/shop/${expected}`);
  expect(more).toEqual([]);
});

test('given two mistakes, when they are loaded, then both are told at once', () => {
  expect(problems('[defaults]\nmodle = "x"\n[repo]\nsource = 1')).toHaveLength(2);
});

test('given a database URL of the wrong kind, when it is loaded, then the message does not show it', () => {
  const [problem] = problems('', { variables: { DATABASE_URL: 'mysql://me:hunter2@db/x' } });

  expect(problem).toContain('environment variable DATABASE_URL: coordinator.database_url: expected string');
  expect(problem).not.toContain('hunter2');
});

test.each([
  ['http://drover.example.com', /expected https/u],
  ['https://drover.example.com/drover', /without a path/u],
  ['https://other.example.com', /allowed_hosts/u],
  ['ftp://localhost', /without a path/u],
])('given %s as the public address, when it is read, then it says what is wrong', (url, words) => {
  const lines = ['[coordinator]', 'allowed_hosts = ["drover.example.com"]', `public_url = "${url}"`];

  expect(problems(lines.join('\n'))).toEqual([expect.stringMatching(words)]);
});

test.each([
  'https://Drover.example.com',
  'https://drover.example.com:8443/',
  'http://localhost:4680',
  'http://[::1]:4680',
])('given %s as the public address, when it is read, then it is right', (url) => {
  expect(problems(`[coordinator]\nallowed_hosts = ["drover.example.com"]\npublic_url = "${url}"`)).toEqual([]);
});

test.each([
  '*',
  'https://*.example.com',
  'board.example.com',
  'https://board.example.com/x',
  'http://board.example.com',
  'null',
])('given %s as the origin of an allowed page, when it is read, then it is refused', (origin) => {
  expect(problems(`[coordinator]\nallowed_origins = ["${origin}"]`)).toEqual([
    expect.stringMatching(/allowed_origins.*expected/u),
  ]);
});

test.each(['https://Board.example.com:443', 'http://localhost:5173', 'http://[::1]:80'])(
  'given %s as the origin of an allowed page, when it is read, then it is taken',
  (origin) => {
    expect(problems(`[coordinator]\nallowed_origins = ["${origin}"]`)).toEqual([]);
  },
);

test('given a machine that is lost before it is suspect, when the file is loaded, then both keys are named', () => {
  const found = problems('[coordinator]\nsuspect_after_secs = 60\ndisconnected_after_secs = 30');

  expect(found).toEqual([expect.stringMatching(/disconnected_after_secs.*at least coordinator\.suspect_after_secs/u)]);
});

test.each([
  ['ext::sh -c "touch x"', 'helper program'],
  ['--upload-pack=x', 'dash'],
  ['https://ada:hunter22@example.org/shop.git', 'password'],
])(
  'given %j as source, when it is loaded, then it is refused with the reason, and no password is shown',
  (source, why) => {
    const found = problems(`[repo]\nsource = ${JSON.stringify(source)}\n`);

    expect(found).toEqual([expect.stringContaining(why)]);
    expect(found.join('')).not.toContain('hunter22');
  },
);

test.each(['https://example.org/shop.git', 'ssh://git@example.org:2222/shop.git', 'git@example.org:shop.git'])(
  'given the address %j as source, when it is loaded, then it stays as it is',
  (source) => {
    expect(loaded(`[repo]\nsource = "${source}"\n`).repo.source).toBe(source);
  },
);
