import { expect, test } from 'vitest';
import { parseSettings, rulesFor } from './settings.ts';

const hook = (command: string): unknown => ({ type: 'command', command });

test('given hooks with matchers, when an event fires, then the rules that match its subject are given', () => {
  const settings = parseSettings(
    JSON.stringify({
      hooks: {
        PreToolUse: [
          { matcher: 'Edit|Write', hooks: [hook('a')] },
          { matcher: '*', hooks: [hook('b')] },
          { hooks: [hook('c')] },
        ],
      },
    }),
  );

  const commands = (tool: string): string[] => rulesFor(settings, 'PreToolUse', tool).map((rule) => rule.command);

  expect([commands('Edit'), commands('EditMore'), rulesFor(settings, 'Stop', '')]).toEqual([
    ['a', 'b', 'c'],
    ['b', 'c'],
    [],
  ]);
});

test('given a hook name that this version does not know, when the settings are read, then it is named and its rules are dropped', () => {
  const settings = parseSettings(
    JSON.stringify({ hooks: { FutureEvent: [{ hooks: [hook('a')] }], Stop: [{ hooks: [hook('b')] }] } }),
  );

  expect(settings.unknownEvents).toEqual(['FutureEvent']);
  expect(settings.rules.map((rule) => rule.command)).toEqual(['b']);
});

test('given settings of another shape, when they are read, then nothing is asked for', () => {
  expect(parseSettings('{"hooks": {"Stop": "echo"}, "model": "x"}')).toEqual({ rules: [], unknownEvents: [] });
});
