// Finds files that write to the terminal past its one door.
import { isTest, lineAt, type Source } from '../source/source.ts';
import { childOf, nameOf, walk, type AnyNode } from '../source/walk.ts';

/** Programs of their own on a terminal, checks and measurements: no text of agents or machines passes them on to a person. */
const EXEMPT_ROOMS = ['apps/sim-agent/', 'packages/testkit/', 'packages/real-agents/', 'tools/', 'bench/'];

/** Files that may reach the terminal, each with its reason. */
const EXEMPT_FILES: Readonly<Record<string, string>> = {
  'apps/cli/src/terminal/terminal.ts': 'the door',
  'apps/cli/src/terminal/pager.ts': 'gives the pager what passed the door',
  'apps/cli/src/commands/worker/attach/programs.ts':
    'hands the terminal over to tmux: a person takes the seat as it is',
  'apps/cli/src/terminal/editor.ts': "hands the terminal over to the person's own editor",
  'apps/cli/src/terminal/raw-terminal.ts': 'paints the whole terminal with what a painter made: text and colours alone',
  'apps/cli/src/main.ts': 'answers a hook: a coding agent reads it, as JSON',
  'packages/embedded-postgres/src/server/watchdog.ts': 'a process of its own, whose output its parent reads',
};

/** Says, one line each, where a file could write what no filter has seen. */
export function terminalProblems(source: Source): readonly string[] {
  if (isExempt(source.file)) return [];
  const found: string[] = [];
  walk(source.program, (node) => {
    const what = streamOf(node) ?? consoleOf(node) ?? inheritance(node) ?? writeOf(node);
    if (what === null) return;
    found.push(`${source.file}:${lineAt(source.text, node.start)}: uses ${what}; print through a Terminal or a log`);
  });
  return found;
}

function isExempt(file: string): boolean {
  return isTest(file) || file in EXEMPT_FILES || EXEMPT_ROOMS.some((room) => file.startsWith(room));
}

const STREAMS = new Set(['stdout', 'stderr']);

function streamOf(node: AnyNode): string | null {
  if (node.type === 'VariableDeclarator' && childOf(node, 'id')?.type === 'ObjectPattern')
    return nameOf(childOf(node, 'init')) === 'process' ? 'parts of process' : null;
  if (node.type !== 'MemberExpression' || nameOf(childOf(node, 'object')) !== 'process') return null;
  const property = nameOf(childOf(node, 'property')) ?? '';
  return STREAMS.has(property) ? `process.${property}` : null;
}

function consoleOf(node: AnyNode): string | null {
  return node.type === 'MemberExpression' && nameOf(childOf(node, 'object')) === 'console' ? 'console' : null;
}

/** `stdio: 'inherit'`: a program that writes for itself. */
function inheritance(node: AnyNode): string | null {
  return node.type === 'Literal' && node['value'] === 'inherit' ? "stdio 'inherit'" : null;
}

const WRITES = new Set(['write', 'writeSync', 'writeFile', 'writeFileSync', 'createWriteStream']);

/** Descriptors 1 and 2, and the terminal's own file. */
function writeOf(node: AnyNode): string | null {
  if (node.type === 'Literal' && node['value'] === '/dev/tty') return '/dev/tty';
  if (node.type !== 'CallExpression') return null;
  const callee = childOf(node, 'callee');
  const name = nameOf(callee) ?? nameOf(callee === null ? null : childOf(callee, 'property')) ?? '';
  const [first] = Array.isArray(node['arguments']) ? node['arguments'] : [];
  return WRITES.has(name) && (first?.value === 1 || first?.value === 2) ? `descriptor ${first.value}` : null;
}
