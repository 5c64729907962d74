/**
 * Finds effects that lint cannot name: a clock that is read by `new Date()`, and output that passes the one door to the terminal.
 *
 * @NOTE Neither sees `await import('@drover/host')`, or `const { ...all } = process`; lint refuses `typeof setTimeout` as a type, too.
 */
import { isTest, lineAt, type Source } from '../source/source.ts';
import { childOf, nameOf, walk, type AnyNode } from '../source/walk.ts';

/** Programs of their own on a terminal, checks and measurements. */
const EXEMPT_ROOMS = /^(?:apps\/sim-agent|packages\/(?:testkit|real-agents)|tools|bench)\//u;

/** Adapters, and a program that builds. */
const ADAPTERS = /-adapter\.ts$|\/system-clock\.ts$|^apps\/[a-z-]+\/src\/main\.ts$|^apps\/dashboard\/build\.ts$/u;

/** Files that may hand the terminal over, each with its reason. */
const EXEMPT_FILES: Readonly<Record<string, string>> = {
  'apps/cli/src/terminal/terminal.ts': 'the door',
  'apps/cli/src/terminal/pager.ts': 'gives the pager what passed the door',
  'apps/cli/src/commands/worker/attach/programs.ts': 'hands the terminal over to tmux, as the person has it',
  'apps/cli/src/terminal/editor.ts': "hands the terminal over to the person's own editor",
  'apps/cli/src/main.ts': 'answers a hook: a coding agent reads it, as JSON',
  'packages/embedded-postgres/src/server/watchdog.ts': 'a process of its own, whose output its parent reads',
};

/** Says, one line each, where a file has such an effect. */
export function effectProblems({ file, text, program }: Source): readonly string[] {
  if (isTest(file) || EXEMPT_ROOMS.test(file)) return [];
  const found: string[] = [];
  const add = (node: AnyNode, words: string): void => void found.push(`${file}:${lineAt(text, node.start)}: ${words}`);
  walk(program, (node) => {
    if (!ADAPTERS.test(file) && readsClock(node)) add(node, 'reads the clock by Date(): take the time as an argument');
    if (!(file in EXEMPT_FILES) && reachesTerminal(node)) add(node, 'writes past the door: print through a Terminal');
  });
  return found;
}

/** `Date()` and `new Date()` read the clock; `new Date(epochMs)` only writes a number in another way. */
function readsClock(node: AnyNode): boolean {
  const isCall = node.type === 'CallExpression';
  if ((node.type !== 'NewExpression' && !isCall) || nameOf(childOf(node, 'callee')) !== 'Date') return false;
  return isCall || (Array.isArray(node['arguments']) && node['arguments'].length === 0);
}

const WRITES = new Set(['write', 'writeSync', 'writeFile', 'writeFileSync', 'createWriteStream']);

/** `stdio: 'inherit'` lets a program write for itself; descriptors 1 and 2, and the terminal's own file, are past every filter. */
function reachesTerminal(node: AnyNode): boolean {
  if (node.type === 'Literal') return node['value'] === 'inherit' || node['value'] === '/dev/tty';
  if (node.type !== 'CallExpression') return false;
  const callee = childOf(node, 'callee');
  const name = nameOf(callee) ?? nameOf(callee && childOf(callee, 'property')) ?? '';
  const [first] = Array.isArray(node['arguments']) ? node['arguments'] : [];
  return WRITES.has(name) && (first?.value === 1 || first?.value === 2);
}
