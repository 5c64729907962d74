import { expect, test } from 'vitest';
import { parseArgs, type Options } from './args.ts';

function options(argv: readonly string[], env: Record<string, string> = {}): Options {
  const parsed = parseArgs(argv, env);
  if (parsed.kind !== 'run') throw new Error(`not a run: ${JSON.stringify(parsed)}`);
  return parsed.options;
}

test('given flags before and after a prompt, when they are parsed, then each finds its place', () => {
  const given = options([
    '--session-id',
    'abc',
    'do this',
    '--tick-ms=5',
    '--permission-mode',
    'manual',
    '--add-dir',
    '/x',
  ]);

  expect(given).toMatchObject({ sessionId: 'abc', prompt: 'do this', tickMs: 5, mode: 'default' });
});

test('given a variable and a flag, when both are set, then the flag wins and an empty variable counts as unset', () => {
  const env = { SIM_AGENT_LOG: '/env.log', SIM_AGENT_TICK_MS: '', SIM_AGENT_TRUST_DIALOG: '1', HOME: '/home/dev' };

  const given = options(['--log', '/flag.log'], env);

  expect(given).toMatchObject({ log: '/flag.log', tickMs: 100, trustDialog: true, home: '/home/dev/.sim-agent' });
});

test('given the flag that skips permissions, when it is parsed, then the mode is to bypass them', () => {
  expect(options(['--dangerously-skip-permissions', '--permission-mode', 'plan']).mode).toBe('bypassPermissions');
});

test('given allowed tools with patterns, when they are parsed, then commas within brackets stay', () => {
  expect(options(['--allowedTools', 'Edit,Bash(git add *, git commit *), Read']).allowedTools).toEqual([
    'Edit',
    'Bash(git add *, git commit *)',
    'Read',
  ]);
});

test.each([
  [['--nonsense'], "error: unknown option '--nonsense'"],
  [['--resume'], "error: option '--resume' argument missing"],
  [['--permission-mode', 'wild'], "error: option '--permission-mode' is 'wild'"],
  [['--persona', 'nobody'], "error: unknown persona 'nobody'"],
])('given %j, when it is parsed, then the message names what is wrong', (argv, message) => {
  const parsed = parseArgs(argv, {});

  expect(parsed.kind === 'wrong' && parsed.message).toContain(message);
});

test('given the flag for late turns, or its variable, when it is read, then a turn begins so much later than its record', () => {
  expect(parseArgs(['--late-turn-ms', '40'], {})).toMatchObject({ options: { lateTurnMs: 40 } });
  expect(parseArgs([], { SIM_AGENT_LATE_TURN_MS: '40' })).toMatchObject({ options: { lateTurnMs: 40 } });
  expect(parseArgs([], {})).toMatchObject({ options: { lateTurnMs: 0 } });
});

test('given the flag for an outage, or its variable, when it is read, then every turn is to fail', () => {
  expect(parseArgs(['--outage'], {})).toMatchObject({ options: { outage: true } });
  expect(parseArgs([], { SIM_AGENT_OUTAGE: '1' })).toMatchObject({ options: { outage: true } });
  expect(parseArgs([], {})).toMatchObject({ options: { outage: false } });
});
