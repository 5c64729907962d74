// Speaks as an OpenAI chat completions service.
import { frame, type Call, type Dialect, type Facts, type Frame, type Say } from './actions.ts';
import { contentTexts, listOf, record, sinceTheModel, textOf, type Turn } from './read.ts';

/** `POST …/chat/completions`. Source: the service's public reference. */
export const CHAT: Dialect = {
  read: (path, body) => {
    if (!path.endsWith('/chat/completions')) return null;
    const parsed = record.safeParse(body);
    return {
      ...sinceTheModel(listOf(body, 'messages').flatMap(turnsOf)),
      model: textOf(body, 'model'),
      tools: listOf(body, 'tools').map((tool) => textOf(tool['function'], 'name')),
      stream: parsed.success && parsed.data['stream'] === true,
    };
  },
  frames,
  whole: (answer, facts) => ({
    ...head(facts, 'chat.completion'),
    choices: [
      { index: 0, message: { role: 'assistant', ...chatMessage(answer, facts) }, finish_reason: reasonOf(answer) },
    ],
    usage: USAGE,
  }),
  refusal: ({ type, message }) => ({ error: { type, message, code: type } }),
  last: '[DONE]',
};

const USAGE = { prompt_tokens: 1200, completion_tokens: 40, total_tokens: 1240 };

function turnsOf(message: Readonly<Record<string, unknown>>): readonly Turn[] {
  switch (message['role']) {
    case 'assistant':
      return [{ by: 'model' }];
    case 'tool':
      return [{ by: 'tool' }];
    case 'user':
      return contentTexts(message).map((text): Turn => ({ by: 'user', text }));
    default:
      return [];
  }
}

function* frames(answer: Say | Call, facts: Facts): Generator<Frame> {
  const chunk = (delta: unknown, reason: string | null = null): unknown => ({
    ...head(facts, 'chat.completion.chunk'),
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  yield frame(chunk({ role: 'assistant', content: '' }));
  if (answer.kind === 'say') for (const content of answer.pieces) yield frame(chunk({ content }), answer.gapMs);
  else yield frame(chunk(chatMessage(answer, facts)));
  yield frame(chunk({}, reasonOf(answer)));
  yield frame({ ...head(facts, 'chat.completion.chunk'), choices: [], usage: USAGE });
}

function head({ id, model }: Facts, object: string): Readonly<Record<string, unknown>> {
  return { id: `chatcmpl-${id}`, object, created: 0, model };
}

function chatMessage(answer: Say | Call, { id }: Facts): Readonly<Record<string, unknown>> {
  if (answer.kind === 'say') return { content: answer.pieces.join('') };
  const call = { name: answer.tool, arguments: JSON.stringify(answer.input) };
  return { tool_calls: [{ index: 0, id: `call_${id}`, type: 'function', function: call }] };
}

function reasonOf(answer: Say | Call): string {
  return answer.kind === 'say' ? 'stop' : 'tool_calls';
}
