// Speaks as the OpenAI Responses service.
import { type Call, type Dialect, type Facts, type Frame, type Say } from './actions.ts';
import { contentTexts, listOf, record, sinceTheModel, textOf, type Turn } from './read.ts';

/** `POST …/responses`. Source: the service's public reference. */
export const RESPONSES: Dialect = {
  read: (path, body) => {
    if (!path.endsWith('/responses')) return null;
    const parsed = record.safeParse(body);
    return {
      ...sinceTheModel(listOf(body, 'input').flatMap(turnsOf)),
      model: textOf(body, 'model'),
      tools: listOf(body, 'tools').map((tool) => textOf(tool, 'name') || textOf(tool, 'type')),
      stream: parsed.success && parsed.data['stream'] === true,
    };
  },
  frames,
  whole: (answer, facts) => completed(facts, itemOf(answer, facts)),
  refusal: ({ type, message }) => ({ error: { type, message, code: type } }),
  last: null,
};

function turnsOf(item: Readonly<Record<string, unknown>>): readonly Turn[] {
  const type = textOf(item, 'type');
  if (type.endsWith('_output')) return [{ by: 'tool' }];
  if (item['role'] === 'user') return contentTexts(item).map((text): Turn => ({ by: 'user', text }));
  return item['role'] === 'assistant' || type.endsWith('_call') ? [{ by: 'model' }] : [];
}

function* frames(answer: Say | Call, facts: Facts): Generator<Frame> {
  let count = 0;
  const event = (type: string, data: Readonly<Record<string, unknown>>, waitMs = 0): Frame => {
    count += 1;
    return { event: type, data: { type, sequence_number: count, ...data }, waitMs };
  };
  const item = itemOf(answer, facts);
  yield event('response.created', { response: { ...head(facts), status: 'in_progress', output: [] } });
  yield event('response.output_item.added', {
    output_index: 0,
    item: answer.kind === 'say' ? { ...item, content: [], status: 'in_progress' } : item,
  });
  if (answer.kind === 'say') {
    const place = { item_id: item['id'], output_index: 0, content_index: 0 };
    yield event('response.content_part.added', { ...place, part: { type: 'output_text', text: '', annotations: [] } });
    for (const delta of answer.pieces) yield event('response.output_text.delta', { ...place, delta }, answer.gapMs);
    yield event('response.output_text.done', { ...place, text: answer.pieces.join('') });
  }
  yield event('response.output_item.done', { output_index: 0, item });
  yield event('response.completed', { response: completed(facts, item) });
}

function head({ id, model }: Facts): Readonly<Record<string, unknown>> {
  return { id: `resp_${id}`, object: 'response', created_at: 0, model };
}

function completed(facts: Facts, item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const usage = {
    input_tokens: 1200,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 40,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 1240,
  };
  return { ...head(facts), status: 'completed', output: [item], usage };
}

function itemOf(answer: Say | Call, { id }: Facts): Readonly<Record<string, unknown>> {
  if (answer.kind === 'say') {
    const content = [{ type: 'output_text', text: answer.pieces.join(''), annotations: [] }];
    return { id: `msg_${id}`, type: 'message', role: 'assistant', status: 'completed', content };
  }
  const call = { status: 'completed', call_id: `call_${id}`, name: answer.tool };
  if (answer.free !== null) return { id: `ctc_${id}`, type: 'custom_tool_call', ...call, input: answer.free };
  return { id: `fc_${id}`, type: 'function_call', ...call, arguments: JSON.stringify(answer.input) };
}
