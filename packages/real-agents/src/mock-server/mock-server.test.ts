// Checks that each dialect of the mock model reads what programs send, answers as it is scripted, and remembers both.
import { expect, test } from 'vitest';
import { actionFor, cueOf } from './script.ts';
import { MockModel } from './server.ts';

/** Time stands still. */
const now = (): number => 0;

async function ask(url: string, body: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

const WORDS = 'SAY it\twith a tab, 漢字 and a trailing \\';

/** Requests to each service for the same words: its path, the words as its user's, and one shell tool. */
const REQUESTS = {
  anthropic: {
    path: '/v1/messages',
    body: (text: string) => ({
      stream: true,
      messages: [{ role: 'user', content: [{ type: 'text', text }] }],
      tools: [{ name: 'Bash' }],
    }),
  },
  responses: {
    path: '/v1/responses',
    body: (text: string) => ({
      stream: true,
      input: [
        { role: 'user', content: [{ type: 'input_text', text: '<environment_context>here</environment_context>' }] },
        { role: 'user', content: [{ type: 'input_text', text }] },
      ],
      tools: [{ type: 'function', name: 'shell' }],
    }),
  },
  chat: {
    path: '/v1/chat/completions',
    body: (text: string) => ({
      stream: true,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: text },
      ],
      tools: [{ type: 'function', function: { name: 'bash' } }],
    }),
  },
  gemini: {
    path: '/v1beta/models/gemini-2.5-flash:streamGenerateContent',
    body: (text: string) => ({
      contents: [{ role: 'user', parts: [{ text }] }],
      tools: [{ functionDeclarations: [{ name: 'run_shell_command' }] }],
    }),
  },
};

test.each(Object.entries(REQUESTS))(
  'given the %s dialect, when words are sent, then they are remembered verbatim and answered as scripted',
  async (_, { path, body }) => {
    await using model = await MockModel.start({ now });

    const said = await ask(`${model.url}${path}`, body(WORDS));
    const ran = await ask(`${model.url}${path}`, body('BASH git status'));

    expect(model.exchanges.map(({ asked, keyword, action }) => [asked.texts, keyword, action])).toEqual([
      [[WORDS], 'SAY', 'say'],
      [['BASH git status'], 'BASH', 'call'],
    ]);
    expect(said.text).toContain('whole');
    expect(ran.text).toContain('git status');
  },
);

test.each([
  ['anthropic', 529],
  ['responses', 529],
  ['chat', 529],
  ['gemini', 529],
] as const)(
  'given the %s dialect, when a refusal is scripted twice, then two are refused and the third is answered',
  async (name, status) => {
    await using model = await MockModel.start({ now });
    const { path, body } = REQUESTS[name];
    const statuses: number[] = [];

    for (let round = 0; round < 3; round += 1)
      statuses.push((await ask(`${model.url}${path}`, body('OVERLOAD 2'))).status);

    expect(statuses).toEqual([status, status, 200]);
  },
);

test('given a request without tools, when it is answered, then it is none of the exchanges', async () => {
  await using model = await MockModel.start({ now });

  const { status } = await ask(`${model.url}/v1/messages`, { messages: [{ role: 'user', content: 'a title?' }] });

  expect(status).toBe(200);
  expect(model.exchanges).toEqual([]);
});

test('given a slow answer, when its reader goes away, then the exchange is cut off', async () => {
  await using model = await MockModel.start({ now });
  const reading = new AbortController();
  const { path, body } = REQUESTS.anthropic;

  const response = await fetch(`${model.url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body('SLOW 60')),
    signal: reading.signal,
  });
  const wasAtWork = model.isAtWork;
  reading.abort();
  await expect.poll(() => model.exchanges[0]?.ended).toBe('cut-off');

  expect(response.status).toBe(200);
  expect(wasAtWork).toBe(true);
  expect(model.isAtWork).toBe(false);
});

test('given the result of a tool after the words, when the model is asked again, then it says that it is done', async () => {
  await using model = await MockModel.start({ now });
  const messages = [
    { role: 'user', content: 'an older word' },
    { role: 'assistant', content: 'an older answer' },
    { role: 'user', content: 'BASH git status' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'clean' }] },
  ];

  const { text } = await ask(`${model.url}/v1/messages`, { stream: true, messages, tools: [{ name: 'Bash' }] });

  expect(text).toContain('run');
  expect(model.exchanges[0]?.asked).toMatchObject({ texts: ['BASH git status'], results: 1, earlier: 2 });
});

test('given the time that Copilot CLI puts before a prompt, when it is asked, then only the words of the user are kept', async () => {
  await using model = await MockModel.start({ now });
  const { path, body } = REQUESTS.chat;

  await ask(`${model.url}${path}`, body(`<current_datetime>2026-11-30T07:48:00Z</current_datetime>\n\n${WORDS}`));

  expect(model.exchanges[0]?.asked.texts).toEqual([WORDS]);
});

test('given words with several keywords, when the cue is looked for, then the first one counts with the rest of its line', () => {
  expect(cueOf('You work here.\nCOMMIT a b\nSAY no')).toEqual({ keyword: 'COMMIT', rest: 'a b' });
  expect(cueOf('say it SAYING nothing')).toBeNull();
});

test('given a program without a shell, when a command is scripted, then the model says so', () => {
  const action = actionFor({ keyword: 'BASH', rest: 'ls' }, { results: 0, tools: ['Read'], refusals: 0 });

  expect(action).toMatchObject({ kind: 'say' });
});

test('given requests that Qwen Code makes on its own account, when they arrive with tools, then they are answered and not kept', async () => {
  await using model = await MockModel.start({ now });
  const { path, body } = REQUESTS.chat;

  const suggestion = await ask(
    `${model.url}${path}`,
    body('[SUGGESTION MODE: Suggest what the user might type next.]'),
  );
  await ask(`${model.url}${path}`, body('Managed memory has TWO directories.'));
  await ask(`${model.url}${path}`, body('Memory directory: /m'));

  expect(suggestion.status).toBe(200);
  expect(model.exchanges).toEqual([]);
});

test('given a reviewer who is asked for a forgotten result, when it answers, then it looks at the commit before it judges', () => {
  const asked = cueOf('No result for this task. Run: drover result --verdict approve|revise --summary "…"');

  const action = actionFor(asked, { results: 0, tools: ['Bash'], refusals: 0 });

  expect(action).toMatchObject({ kind: 'call', tool: 'Bash' });
  expect(JSON.stringify(action)).toMatch(/git grep -q Second HEAD.*--verdict approve.*--verdict revise/u);
});

test.each([
  ['Bash', { command: 'sleep 9', run_in_background: true }],
  ['exec_command', { cmd: 'sleep 9', yield_time_ms: 1_000 }],
])(
  'given a program with the tool %s, when a command is to run beside the turn, then the model says so to the tool',
  (tool, input) => {
    const action = actionFor({ keyword: 'BACKGROUND', rest: 'sleep 9' }, { results: 0, tools: [tool], refusals: 0 });

    expect(action).toMatchObject({ kind: 'call', tool, input });
  },
);

test('given a tool that the program does not offer, when its call is scripted, then the model calls it all the same', () => {
  const cue = cueOf('CALL SendMessage {"to":"alba"}');

  const action = actionFor(cue, { results: 0, tools: ['Bash'], refusals: 0 });

  expect(action).toMatchObject({ kind: 'call', tool: 'SendMessage', input: { to: 'alba' } });
});
