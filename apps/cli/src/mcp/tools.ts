/** Lists and calls the tools of `drover mcp`: those that the coordinator shows to this caller and, in a worker's pane, the result. */
import type { ToolView } from '@drover/api';
import { escapeHidden } from '@drover/core/hidden-characters';
import { resultSchema } from '@drover/protocol/results';
import { ask } from '../client/client.ts';
import type { Client } from '../client/calls.ts';
import { takeResult } from '../commands/pane/result.ts';
import { CommandError } from '../exit-codes.ts';
import type { Surroundings } from '../surroundings.ts';
import { explain } from '../world-errors.ts';

type Arguments = Readonly<Record<string, unknown>>;

export interface LocalTool {
  readonly name: string;
  readonly about: string;
  /** JSON Schema of the arguments. */
  readonly schema: Arguments;
  /** Returns the answer as text. @throws {CommandError} */
  readonly call: (given: Arguments) => Promise<string>;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** @throws {CommandError} if the coordinator does not answer. */
export async function listTools(surroundings: Surroundings): Promise<readonly LocalTool[]> {
  const listed = await ask(surroundings, (client) => client.tools.list.query());
  const tools = listed.map((tool) => toolOf(surroundings, tool));
  return surroundings.worker === null ? tools : [resultTool(surroundings), ...tools];
}

/** Calls a tool. Whatever is wrong is an answer that the model can read. */
export async function callTool(
  surroundings: Surroundings,
  { name, given }: { readonly name: string; readonly given: Arguments },
): Promise<ToolAnswer> {
  try {
    const tools = await listTools(surroundings);
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined)
      throw new CommandError(
        'not-found',
        `There is no tool "${name}" for you; there are: ${tools.map((one) => one.name).join(', ')}`,
      );
    refuseStrangeFields(tool, given);
    return { text: await tool.call(given), isError: false };
  } catch (error) {
    return { text: explain(error).message, isError: true };
  }
}

/** Refuses misspelled arguments: the API would ignore them. */
function refuseStrangeFields({ name, schema }: LocalTool, given: Arguments): void {
  const known = Object.keys(schema['properties'] ?? {});
  const strange = Object.keys(given).find((field) => !known.includes(field));
  if (strange === undefined) return;
  const takes = known.length === 0 ? 'it takes no arguments' : `it takes: ${known.join(', ')}`;
  throw new CommandError('usage', `The tool "${name}" does not know "${strange}"; ${takes}`);
}

function resultTool(surroundings: Surroundings): LocalTool {
  return {
    name: 'result',
    about:
      'Gives the result of your task, if it belongs to a run. Says at once what is wrong with it; a repeated call replaces it. End your turn after it.',
    schema: resultSchema(),
    call: (given) => Promise.resolve(takeResult(surroundings, given)),
  };
}

function toolOf(surroundings: Surroundings, tool: ToolView): LocalTool {
  const { name, about, schema, given: fixed, hasRequestId } = tool;
  return {
    name,
    about,
    schema,
    call: async (given) => {
      const request = hasRequestId ? { requestId: surroundings.uuid() } : {};
      const answer = await ask(surroundings, (client) => callOf(client, tool)({ ...given, ...fixed, ...request }));
      return escapeHidden(JSON.stringify(answer));
    },
  };
}

type Call = (input: Arguments) => Promise<unknown>;
type Procedures = Readonly<Record<string, Readonly<Record<string, { readonly query: Call; readonly mutate: Call }>>>>;

/** Finds a procedure by its name; the client makes one for any. */
function callOf(client: Client, { operation, kind }: ToolView): Call {
  const [subject = '', verb = ''] = operation.split('.');
  const procedure = (client as unknown as Procedures)[subject]?.[verb];
  if (procedure === undefined) throw new CommandError('internal', `There is no operation ${operation}`);
  return kind === 'query' ? procedure.query : procedure.mutate;
}
