// Finds files that reach the machine that they run on without the host port.
import { isTest, lineAt, type Source } from '../source/source.ts';
import { childOf, nameOf, walk, type AnyNode } from '../source/walk.ts';

/** Rooms whose code acts on a machine with panes, which need not be the machine that the code runs on. */
const ROOMS = ['apps/machine-agent/src/', 'packages/tmux/src/', 'packages/worktree/src/'];

/** Files that reach the machine that they run on, each with its reason. */
const EXCUSED: Readonly<Record<string, string>> = {
  'apps/machine-agent/src/identity/machine-key.ts': 'the key stays with the agent, wherever the panes are',
  'apps/machine-agent/src/gateway/directory.ts': 'what a gateway keeps of its machines stays with it',
  'apps/machine-agent/src/gateway/reach.ts': 'ssh and its files are where the gateway runs',
  'apps/machine-agent/src/gateway/start.ts': 'tells of the machine on which the gateway itself runs',
  'apps/machine-agent/src/store/database.ts': 'journal and outbox stay with the agent',
  'apps/machine-agent/src/deliver/draft-store.ts': "drafts stay with the agent: the host's disk may be full",
  'packages/tmux/src/panes/signal-names.ts': 'the numbers of signals, which people read, by their names',
  'apps/machine-agent/src/machine-agent.ts': 'makes the local host where no other one is given',
  'apps/machine-agent/src/join.ts':
    "makes the agent's own directory, and joins the machine that the command is given on",
  'apps/machine-agent/src/sync/http-adapter.ts': 'the coordinator is asked from where the agent runs',
  'apps/machine-agent/src/local-agents.ts': 'for commands of a person, on the machine of that person',
  'apps/machine-agent/src/local-project.ts': 'for commands of a person, on the machine of that person',
  'apps/machine-agent/src/local-supplies.ts': 'for commands of a person, on the machine of that person',
};

const MODULES = /^(?:node:)?(?:fs|fs\/promises|child_process|os|net|http|https|http2|tls|dgram|worker_threads)$/u;

/** Members of `process` that concern a machine or its processes, not this program. */
const OF_PROCESS: ReadonlySet<string> = new Set([
  'arch',
  'chdir',
  'cwd',
  'geteuid',
  'getuid',
  'kill',
  'pid',
  'platform',
  'ppid',
  'umask',
]);

/** Says, one line each, where a file reaches the machine past the port. */
export function accessProblems(source: Source): readonly string[] {
  return source.file in EXCUSED
    ? []
    : accessesOf(source).map(({ line, what }) => {
        return `${source.file}:${line}: uses ${what}; the machine with the panes may be another one: take the Host`;
      });
}

/** Excused files that are not there, or that need no excuse any more. */
export function staleExcuses(sources: readonly Source[]): readonly string[] {
  const needy = new Set(sources.filter((source) => accessesOf(source).length > 0).map(({ file }) => file));
  return Object.keys(EXCUSED).filter((file) => !needy.has(file));
}

function accessesOf(source: Source): readonly { readonly line: number; readonly what: string }[] {
  if (isTest(source.file) || !ROOMS.some((room) => source.file.startsWith(room))) return [];
  const found: { line: number; what: string }[] = [];
  walk(source.program, (node) => {
    const what = importOf(node) ?? memberOf(node) ?? callOf(node);
    if (what !== null) found.push({ line: lineAt(source.text, node.start), what });
  });
  return found;
}

function importOf(node: AnyNode): string | null {
  const module = nameOf(childOf(node, 'source')) ?? '';
  return MODULES.test(module) ? module : null;
}

function memberOf(node: AnyNode): string | null {
  if (node.type === 'VariableDeclarator' && childOf(node, 'id')?.type === 'ObjectPattern')
    return nameOf(childOf(node, 'init')) === 'process' ? 'parts of process' : null;
  if (node.type !== 'MemberExpression' || nameOf(childOf(node, 'object')) !== 'process') return null;
  const property = nameOf(childOf(node, 'property')) ?? '';
  return OF_PROCESS.has(property) ? `process.${property}` : null;
}

function callOf(node: AnyNode): string | null {
  return node.type === 'CallExpression' && nameOf(childOf(node, 'callee')) === 'createLocalHost'
    ? 'a host of its own'
    : null;
}
