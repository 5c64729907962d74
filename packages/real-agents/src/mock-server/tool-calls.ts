// Names the tool of each program that runs a command, or asks its user, and builds its input.
import type { Call } from './actions.ts';

/** Codex asks its user only for a command that wants to leave the sandbox. */
const ESCALATED = { sandbox_permissions: 'require_escalated', justification: 'May this command run?' };

/**
 * The call that runs a command in the program's shell.
 *
 * @param leaves Asks to leave the program's sandbox, which needs permission. @returns null when it offers no known shell.
 */
export function shellCall(tools: readonly string[], command: string, leaves: boolean): Call | null {
  const more = leaves ? ESCALATED : {};
  const has = (name: string): boolean => tools.includes(name);
  if (has('Bash')) return call('Bash', { command, description: 'Run a command' });
  if (has('bash')) return call('bash', { command, description: 'Run a command' });
  if (has('run_shell_command')) return call('run_shell_command', { command, description: 'Run a command' });
  if (has('exec_command')) return call('exec_command', { cmd: command, ...more });
  if (has('shell_command')) return call('shell_command', { command, ...more });
  if (has('shell')) return call('shell', { command: ['bash', '-c', command], ...more });
  if (!has('exec')) return null;
  const script = `text(await tools.exec_command(${JSON.stringify({ cmd: command, ...more })}));`;
  return { kind: 'call', tool: 'exec', input: { input: script }, free: script };
}

/** Milliseconds that Codex waits for the command; it runs on after them. */
const YIELD_MS = 1_000;

/** The call that runs a command beside the conversation, which the model goes on with. @returns null when it offers no tool that can. */
export function backgroundCall(tools: readonly string[], command: string): Call | null {
  const more = { ...ESCALATED, yield_time_ms: YIELD_MS };
  if (tools.includes('Bash')) return call('Bash', { command, description: 'Run a command', run_in_background: true });
  if (tools.includes('exec_command')) return call('exec_command', { cmd: command, ...more });
  if (!tools.includes('exec')) return null;
  const script = `text(await tools.exec_command(${JSON.stringify({ cmd: command, ...more })}));`;
  return { kind: 'call', tool: 'exec', input: { input: script }, free: script };
}

const QUESTION = {
  header: 'Database',
  question: 'Which database should the project use?',
  options: [
    { label: 'PostgreSQL', description: 'A server' },
    { label: 'SQLite', description: 'A file' },
  ],
};

/** The call that lets the user choose. @returns null when the program offers none that is known. */
export function questionCall(tools: readonly string[]): Call | null {
  if (tools.includes('AskUserQuestion'))
    return call('AskUserQuestion', { questions: [{ ...QUESTION, multiSelect: false }] });
  if (tools.includes('ask_user_question'))
    return call('ask_user_question', { questions: [{ ...QUESTION, multiSelect: false }] });
  if (tools.includes('question')) return call('question', { questions: [{ ...QUESTION, multiple: false }] });
  if (tools.includes('ask_user') && tools.includes('fetch_copilot_cli_documentation')) return copilotQuestion();
  if (tools.includes('ask_user'))
    return call('ask_user', { questions: [{ ...QUESTION, type: 'choice', multiSelect: false }] });
  if (tools.includes('request_user_input'))
    return call('request_user_input', { questions: [{ id: 'database', ...QUESTION }] });
  return null;
}

/** Copilot CLI takes a form, as servers of tools ask for one. */
function copilotQuestion(): Call {
  const { header: title, question: message, options } = QUESTION;
  const database = { type: 'string', title, enum: options.map(({ label }) => label) };
  return call('ask_user', { message, requestedSchema: { properties: { database }, required: ['database'] } });
}

/** The call of a tool by its name, and its arguments as JSON. @returns null when there is no name. */
export function namedCall(words: string): Call | null {
  const [, name = '', json = ''] = /^(\w+)\s*(.*)$/u.exec(words) ?? [];
  return name === '' ? null : call(name, JSON.parse(json === '' ? '{}' : json) as Call['input']);
}

/** The same of a tool of the MCP server "drover". @returns null when the program does not offer it. */
export function mcpCall(tools: readonly string[], words: string): Call | null {
  const named = namedCall(`mcp__drover__${words}`);
  return named !== null && tools.includes(named.tool) ? named : null;
}

function call(tool: string, input: Call['input']): Call {
  return { kind: 'call', tool, input, free: null };
}
