import { DEFAULT_ONCALL } from '@drover/core';
import { expect, test } from 'vitest';
import { readEnvironment } from '../environment.ts';
import { parseConfig } from '../load/load.ts';
import { oncallPolicy } from './oncall.ts';

const read = (text: string) =>
  parseConfig(text, { root: '/srv/shop', environment: readEnvironment({ HOME: '/home/eve' }) });

function policyOf(text: string) {
  const outcome = read(text);
  if (outcome.kind === 'invalid') throw new Error(JSON.stringify(outcome.problems));
  return oncallPolicy(outcome.config);
}

test('given no [escalation], when it is read, then what suits one person holds', () => {
  expect(policyOf('')).toEqual(DEFAULT_ONCALL);
});

test('given a whole [escalation], when it is read, then spans are milliseconds and times are minutes', () => {
  const text = `
    [escalation]
    zone = "Europe/Berlin"
    quiet = { from = "22:00", to = "07:30", days = ["mon", "tue"], through = "fatal" }
    steps = [{ after = "0s", notify = ["slack:C012"] }, { after = "10m", notify = ["person:ada", "email:a@b.example"] }]
    repeat = 3
    ack_reminder = "45m"
    timeout = { after = "8h", answer = "skip" }
    answer_role = "operator"
    severity = { AGENT_BLOCKED = "warning" }
  `;

  expect(policyOf(text)).toEqual({
    zone: 'Europe/Berlin',
    quiet: { from: 1_320, to: 450, days: ['mon', 'tue'], through: 'fatal' },
    steps: [
      { afterMs: 0, notify: ['slack:C012'] },
      { afterMs: 600_000, notify: ['person:ada', 'email:a@b.example'] },
    ],
    repeat: 3,
    ackReminderMs: 2_700_000,
    timeout: { afterMs: 28_800_000, answer: 'skip' },
    answerRole: 'operator',
    severity: { AGENT_BLOCKED: 'warning' },
  });
});

test.each([
  ['zone = "Europe/Berln"', 'name of a time zone'],
  ['quiet = { from = "25:00", to = "07:00" }', 'time of day'],
  ['steps = [{ after = "10", notify = ["person:ada"] }]', 'span such as'],
  ['steps = [{ after = "0s", notify = ["ada"] }]', '"person:NAME"'],
  ['steps = [{ after = "9m", notify = ["*"] }, { after = "1m", notify = ["*"] }]', 'in the order of their times'],
  ['timeout = { after = "8h", answer = "yes" }', 'expected'],
  ['timeout = { after = "1s", answer = "skip" }', 'from 1m to 30d'],
  ['severity = { AGENT_BLOKED = "warning" }', 'error code'],
  ['role = "operator"', 'role'],
])('given a mistake such as %s, when it is read, then it is refused in words', (line, words) => {
  const outcome = read(`[escalation]\n${line}\n`);

  expect(outcome.kind).toBe('invalid');
  if (outcome.kind === 'invalid')
    expect(JSON.stringify(outcome.problems)).toContain(words.replaceAll('"', String.raw`\"`));
});
