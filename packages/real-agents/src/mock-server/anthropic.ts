// Speaks as the Anthropic Messages service.
import { frame, type Call, type Dialect, type Facts, type Frame, type Say } from './actions.ts';
import { contentTexts, listOf, record, sinceTheModel, textOf, type Turn } from './read.ts';

/** `POST /v1/messages`. Source: the service's public reference. */
export const ANTHROPIC: Dialect = {
  read: (path, body) => {
    if (!path.endsWith('/v1/messages')) return null;
    const parsed = record.safeParse(body);
    const turns = listOf(body, 'messages').flatMap(turnsOf);
    return {
      ...sinceTheModel(turns),
      model: textOf(body, 'model'),
      tools: listOf(body, 'tools').map((tool) => textOf(tool, 'name')),
      stream: parsed.success && parsed.data['stream'] === true,
    };
  },
  frames,
  whole: (answer, facts) => ({
    ...head(facts),
    content: [answer.kind === 'say' ? { type: 'text', text: answer.pieces.join('') } : toolUse(answer, facts)],
    stop_reason: answer.kind === 'say' ? 'end_turn' : 'tool_use',
  }),
  refusal: ({ type, message }) => ({ type: 'error', error: { type, message } }),
  last: null,
};

function turnsOf(message: Readonly<Record<string, unknown>>): readonly Turn[] {
  if (message['role'] === 'assistant') return [{ by: 'model' }];
  // Programs send their own instructions as messages of the system too.
  if (message['role'] !== 'user') return [];
  const results = listOf(message, 'content').filter((part) => part['type'] === 'tool_result');
  return [
    ...results.map((): Turn => ({ by: 'tool' })),
    ...contentTexts(message).map((text): Turn => ({ by: 'user', text })),
  ];
}

function* frames(answer: Say | Call, facts: Facts): Generator<Frame> {
  yield named('message_start', { message: head(facts) });
  if (answer.kind === 'say') {
    yield named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
    for (const text of answer.pieces)
      yield named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }, answer.gapMs);
  } else {
    yield named('content_block_start', { index: 0, content_block: { ...toolUse(answer, facts), input: {} } });
    const json = JSON.stringify(answer.input);
    yield named('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: json } });
  }
  yield named('content_block_stop', { index: 0 });
  const reason = answer.kind === 'say' ? 'end_turn' : 'tool_use';
  yield named('message_delta', {
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 30 },
  });
  yield named('message_stop', {});
}

function named(type: string, data: Readonly<Record<string, unknown>>, waitMs = 0): Frame {
  return { ...frame({ type, ...data }, waitMs), event: type };
}

function head({ id, model }: Facts): Readonly<Record<string, unknown>> {
  const usage = { input_tokens: 1200, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
}

function toolUse({ tool, input }: Call, { id }: Facts): Readonly<Record<string, unknown>> {
  return { type: 'tool_use', id: `toolu_${id}`, name: tool, input };
}
