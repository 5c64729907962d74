// Speaks as the Gemini service.
import { frame, type Call, type Dialect, type Facts, type Frame, type Say } from './actions.ts';
import { listOf, sinceTheModel, type Turn } from './read.ts';

const PATH = /\/models\/(?<model>[^:/]+):(?<how>streamGenerateContent|generateContent)$/u;

/** `POST …/models/NAME:streamGenerateContent` and `:generateContent`. Source: the service's public reference. */
export const GEMINI: Dialect = {
  read: (path, body) => {
    const found = PATH.exec(path)?.groups;
    if (found === undefined) return null;
    const declared = listOf(body, 'tools').flatMap((tool) => listOf(tool, 'functionDeclarations'));
    return {
      ...sinceTheModel(listOf(body, 'contents').flatMap(turnsOf)),
      model: found['model'] ?? '',
      tools: declared.map(({ name }) => String(name)),
      stream: found['how'] === 'streamGenerateContent',
    };
  },
  frames,
  whole: (answer, facts) => chunk([partOf(answer)], facts, 'STOP'),
  refusal: ({ status, message }) => ({
    // The service has no 529; its own word for it is 503.
    error: { code: status === 529 ? 503 : status, message, status: STATUS[status] ?? 'UNAVAILABLE' },
  }),
  last: null,
};

const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
};

function turnsOf(content: Readonly<Record<string, unknown>>): readonly Turn[] {
  if (content['role'] === 'model') return [{ by: 'model' }];
  return listOf(content, 'parts').flatMap((part): readonly Turn[] => {
    if (part['functionResponse'] !== undefined) return [{ by: 'tool' }];
    return typeof part['text'] === 'string' ? [{ by: 'user', text: part['text'] }] : [];
  });
}

function* frames(answer: Say | Call, facts: Facts): Generator<Frame> {
  if (answer.kind === 'call') yield frame(chunk([partOf(answer)], facts, 'STOP'));
  else {
    for (const text of answer.pieces) yield frame(chunk([{ text }], facts), answer.gapMs);
    yield frame(chunk([{ text: '' }], facts, 'STOP'));
  }
}

function partOf(answer: Say | Call): Readonly<Record<string, unknown>> {
  if (answer.kind === 'say') return { text: answer.pieces.join('') };
  return { functionCall: { name: answer.tool, args: answer.input } };
}

function chunk(parts: readonly unknown[], { id, model }: Facts, finishReason?: string): unknown {
  const candidate = { content: { role: 'model', parts }, index: 0 };
  return {
    candidates: [finishReason === undefined ? candidate : { ...candidate, finishReason }],
    usageMetadata: { promptTokenCount: 1200, candidatesTokenCount: 10, totalTokenCount: 1210 },
    modelVersion: model,
    responseId: id,
  };
}
