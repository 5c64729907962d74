/** Lists the tools that `drover mcp` may show to its caller, from the table of operations. */
import { z } from 'zod';
import type { Actor } from '../people.ts';
import { refusalOf } from '../routes.ts';
import type { Route } from '../routes.ts';
import { ok, query } from '../operations/define.ts';
import type { Tool } from '../operations/define.ts';

/** A tool with the operation that it calls. */
const toolView = z.object({
  name: z.string(),
  about: z.string(),
  /** Name of the operation, such as `runs.show`. */
  operation: z.string(),
  kind: z.enum(['query', 'mutation']),
  /** True if each call needs an id of its own. */
  hasRequestId: z.boolean(),
  given: z.record(z.string(), z.unknown()),
  /** JSON Schema of the arguments: an object. */
  schema: z.record(z.string(), z.unknown()),
});

export type ToolView = z.infer<typeof toolView>;

interface Called extends Route {
  readonly input?: z.ZodType | undefined;
  readonly tools?: Readonly<Record<string, Tool>>;
}

type Table = Readonly<Record<string, Called>>;

export function toolOperations(table: Table) {
  return {
    'tools.list': query('viewer', 'worker', {
      handle: ({ actor }) => Promise.resolve(ok(toolsFor(table, actor))),
    }),
  };
}

/** Leaves out what the caller would be refused. */
function toolsFor(table: Table, actor: Actor): readonly ToolView[] {
  const who = actor.role === 'worker' ? 'agent' : 'person';
  return Object.entries(table).flatMap(([operation, called]) =>
    refusalOf(called, actor) === null
      ? Object.entries(called.tools ?? {}).flatMap(([name, tool]) =>
          tool.serves === who ? [toolOf({ name, tool, operation, called })] : [],
        )
      : [],
  );
}

interface Naming {
  readonly name: string;
  readonly tool: Tool;
  readonly operation: string;
  readonly called: Called;
}

function toolOf({ name, tool: { about, given = {} }, operation, called: { kind, input } }: Naming): ToolView {
  const { $schema: _dialect, ...whole } = z.toJSONSchema(input ?? z.object({}), {
    io: 'input',
    unrepresentable: 'any',
  });
  const { properties = {}, required = [] } = whole;
  const isHidden = (field: string): boolean => field === 'requestId' || Object.hasOwn(given, field);
  const schema = {
    ...whole,
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).filter(([field]) => !isHidden(field))),
    required: required.filter((field) => !isHidden(field)),
  };
  return { name, about, operation, kind, hasRequestId: Object.hasOwn(properties, 'requestId'), given, schema };
}
