import { expect, test } from 'vitest';
import { isAgent, squashMessage, withoutAgentLines } from './commit-message.ts';

test('given lines by which agents sign, when cleaned, then they go and people stay', () => {
  const given = [
    'Add retries',
    '',
    'Generated with protoc 3 from retry.proto.',
    '',
    '🤖 Generated with [Claude Code](https://claude.ai/code)',
    '',
    'Co-Authored-By: Claude Opus 4.5 (1M context) <noreply@anthropic.com>',
    'Co-authored-by: Copilot <198982749+Copilot@users.noreply.github.com>',
    'Co-authored-by: aider (gpt-5) <aider@aider.chat>',
    'Co-authored-by: Cursor <cursoragent@cursor.com>',
    'Co-Authored-By: OpenAI Codex <noreply@openai.com>',
    'Co-authored-by: opencode <noreply@opencode.ai>',
    'Co-authored-by: Gemini CLI <gemini-cli@example.com>',
    'Claude-Session: https://claude.ai/code/session_1',
    'Co-authored-by: Claude Dupont <claude@dupont.example>',
    'Co-authored-by: Ada <ada@openai.com>',
    'Signed-off-by: Grace <grace@example.org>',
    '',
  ].join('\r\n');

  expect(withoutAgentLines(given)).toBe(
    [
      'Add retries',
      '',
      'Generated with protoc 3 from retry.proto.',
      '',
      'Co-authored-by: Claude Dupont <claude@dupont.example>',
      'Co-authored-by: Ada <ada@openai.com>',
      'Signed-off-by: Grace <grace@example.org>',
      '',
    ].join('\n'),
  );
});

test.each([
  ['Claude', 'claude@dupont.example', false],
  ['Claude', 'noreply@anthropic.com', true],
  ['Claude', '', true],
  ['Jules Verne', 'jules@verne.example', false],
  ['google-labs-jules[bot]', '161369871+google-labs-jules[bot]@users.noreply.github.com', true],
  ['Max Cursorius', 'max@example.org', false],
  ['Claude Code', 'someone@example.org', true],
  ['Codexia Ltd', 'dev@codexia.example', false],
])('given %s <%s>, when asked whether it is an agent, then %s', (name, email, expected) => {
  expect(isAgent(name, email)).toBe(expected);
});

test('given several commits, when squashed, then first message, other subjects and each person once', () => {
  const trailer = 'Co-authored-by: Ada <ada@example.org>';

  const when = squashMessage([
    { message: `Add x\n\nBecause of y.\n\n${trailer}\n` },
    { message: `Mend x\n\n${trailer}\nCo-authored-by: Claude <noreply@anthropic.com>\n` },
  ]);

  expect(when).toBe(`Add x\n\nBecause of y.\n\n* Mend x\n\n${trailer}\n`);
});
