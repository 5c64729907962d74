/** Extracts the facts that a tool's output names: a place in the code, a field, a resource. */

import { linesOf, quotable } from './lines.ts';

/** A place in a file. Lines and columns count from 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number | null;
}

/** Ways to write a place, from sure to vague. Groups: file, line, column. */
const PLACES: readonly RegExp[] = [
  /^\s*--> (?<file>\S+?):(?<line>\d+):(?<column>\d+)\s*$/,
  /^(?<file>[^\s(:]+)\((?<line>\d+),(?<column>\d+)\): error\b/,
  /^\s*File "(?<file>[^"]+)", line (?<line>\d+)/,
  /(?:SyntaxError|Error|ERROR)[^:]{0,100}: (?:unknown: )?(?<file>(?:\/|\w:\\|\.{0,2}\/)?[\w@./\\-]{1,200}\.\w{1,20}):? .{0,120}\((?<line>\d{1,7}):(?<column>\d{1,7})\)/,
  /^\s*(?:╭─\[|,-\[)?(?<file>[\w@./\\-]+\.[a-z]\w{0,5}):(?<line>\d+)(?::(?<column>\d+))?(?:[:\]\s]|$)/i,
  /\bin (?<file>"[^"]+"|\S+?\.\w+),? (?:on )?line (?<line>\d+)(?:,? column (?<column>\d+))?/,
  /^(?<file>[\w@./-]+): line (?<line>\d+): /,
  /(?<![\w@./-])(?<file>[\w@./-]+\.[a-z]\w{0,5}):(?<line>\d+)(?::(?<column>\d+))?/i,
];

/** Paths of code that is not the agent's to fix, named only if nothing else is. */
const FOREIGN =
  /(?:^|\/)(?:node_modules|site-packages|dist-packages|\.cargo\/registry|lib\/python3)|^node:|^<|^internal\//;

/** Returns the place that an output points at; of several in a Python traceback the last one, else the first. */
export function sourceLocation(text: string): SourceLocation | null {
  const lines = linesOf(text);
  for (const pattern of PLACES) {
    const places = lines.map((line) => placeIn(line, pattern)).filter((place) => place !== null);
    const own = places.filter(({ file }) => !FOREIGN.test(file));
    const [first] = own;
    if (first !== undefined) return pattern.source.includes('File "') ? (own.at(-1) ?? first) : first;
  }
  return null;
}

function placeIn(text: string, pattern: RegExp): SourceLocation | null {
  const found = pattern.exec(text)?.groups;
  if (found === undefined) return null;
  const { file, line, column } = found;
  if (file === undefined || line === undefined) return null;
  return { file: file.replaceAll('"', ''), line: Number(line), column: column === undefined ? null : Number(column) };
}

/** A field that was refused, and the reason. */
export interface FieldProblem {
  readonly field: string | null;
  readonly reason: string;
}

/** Ways to name a field and its fault. Groups: field, reason. */
const FIELDS: readonly RegExp[] = [
  /validation failed: (?<field>[\w.[\]]+): (?<reason>[^\n]+)/,
  /✖ (?<reason>[^\n]{1,500})\n\s*→ at (?<field>[\w.[\]]+)/,
  /validation errors? for [^\n]{1,300}\n(?<field>[\w.]+)\n\s+(?<reason>[^\n[]+)/,
  /ValidationError: "(?<field>[^"]+)" (?<reason>[^\n]+)/,
  /(?<![\w.[\]])(?<field>[\w.[\]]+): Invalid value: (?<reason>[^\n]+)/,
  /(?<reason>null value) in column "(?<field>[^"]+)"/,
  /(?<reason>(?:UNIQUE|NOT NULL|CHECK) constraint failed): (?<field>[\w.]+)/,
  /(?<reason>duplicate key value violates unique constraint) "(?<field>[^"]+)"/,
  /'(?<field>[^']+)' (?<reason>is a required property)/,
  /"(?<field>\w+)": ?\["(?<reason>[^"]+)"/,
  /\b(?:data|body|config|options)[./](?<field>[\w./[\]]{1,120}) (?<reason>(?:must|should) [^\n]+)/,
  /(?<reason>must have required property) '(?<field>[^']+)'/,
  /[Ii]nvalid value (?:for|of) (?:option |field |property )?["'`]?(?<field>[\w.-]+)["'`]?:? ?(?<reason>[^\n]*)/,
  /(?<reason>[Mm]issing required (?:field|property|key|environment variable)):? ["'`]?(?<field>[\w.-]+)/,
  /(?<![\w.])(?<field>[\w.]+)["'`]?:? (?<reason>(?:field (?:is )?required|must be (?:a|an|of|one|at|greater|less)\b)[^\n]*)/i,
];

/** Returns the field and the reason of a validation failure; the deciding line stands in for a reason that is not stated. */
export function fieldProblem(text: string, evidence: string): FieldProblem {
  const clean = linesOf(text).join('\n');
  for (const pattern of FIELDS) {
    const found = pattern.exec(clean)?.groups;
    if (found?.['field'] === undefined) continue;
    return { field: quotable(found['field']), reason: quotable(found['reason'] ?? '') || evidence };
  }
  return { field: null, reason: evidence };
}

/** Resources by the words that name them. `$1` is the number of a port. */
const RESOURCES: readonly (readonly [RegExp, string])[] = [
  [/file watchers/i, 'file watchers (fs.inotify.max_user_watches)'],
  [/too many open files|EMFILE|ENFILE/i, 'open files'],
  [/disk quota|EDQUOT/i, 'disk quota'],
  [/no space left|disk (?:is )?full|ENOSPC|not enough (?:disk )?space/i, 'disk space'],
  [/heap out of memory/i, 'memory of the Node process'],
  [/memory|ENOMEM|bad_alloc|OOM|killed|SIGKILL|exit code 137/i, 'memory'],
  [
    /(?:address already in use|EADDRINUSE)\D{0,80}?(?:[\d.]{1,45}|\[?::\d{0,9}\]?|localhost|\*)?:(\d{2,5})\b/i,
    'port $1',
  ],
  [/port (\d{2,5}) is/i, 'port $1'],
  [/:(\d{2,5}) failed: port is already allocated/i, 'port $1'],
  [/address already in use|port is already|EADDRINUSE/i, 'a network port'],
  [/too many (?:clients|connections)/i, 'database connections'],
  [/database is locked/i, 'the database file, which another process has locked'],
  [/index\.lock|\.lock': File exists/i, 'the git repository, which another git process has locked'],
  [/dpkg|apt/i, 'the package manager, which another process has locked'],
  [/\bfork\b|temporarily unavailable/i, 'processes'],
];

/** Returns the name of the resource that ran out, for people. */
export function exhaustedResource(text: string, evidence: string): string {
  for (const words of [evidence, linesOf(text).join('\n')]) {
    for (const [pattern, name] of RESOURCES) {
      const found = pattern.exec(words);
      if (found !== null) return name.replace('$1', found[1] ?? '');
    }
  }
  return 'a resource';
}

/** Returns the host that an output or a command talks to; null if it names none. Names only, never credentials of a URL. */
export function serviceHost(text: string, command: string | null): string | null {
  const url = /\b(?:https?|wss?|ssh|git):\/\/(?:[^\s/@]*@)?([A-Za-z0-9][A-Za-z0-9.-]*\.[A-Za-z]{2,}|localhost)/;
  return url.exec(text)?.[1] ?? url.exec(command ?? '')?.[1] ?? null;
}
