/** Finds every regular expression of the product: literals in the syntax tree, and those that a file constructs while Node loads it. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { REPOSITORY } from '../source/rooms.ts';
import { isTest, lineAt, sourcesIn, type Source } from '../source/source.ts';
import { childOf, nameOf, walk } from '../source/walk.ts';

/** Rooms that are never in the product. */
const OUTSIDE = ['packages/testkit/', 'packages/real-agents/', 'apps/sim-agent/', 'packages/screen/fixtures/'];

/** Regular expression and its place, such as `packages/core/src/a.ts:12`. */
export interface Expression {
  readonly at: string;
  readonly expression: RegExp;
}

/** Every file of the product. */
export function productSources(): readonly Source[] {
  return sourcesIn(
    ['packages', 'apps'],
    (file) => file.includes('/src/') && !isTest(file) && !OUTSIDE.some((room) => file.startsWith(room)),
  );
}

/** The literals of a file. */
export function literalsIn(source: Source): readonly Expression[] {
  const found: Expression[] = [];
  walk(source.program, (node) => {
    const regex = node.type === 'Literal' ? node['regex'] : undefined;
    if (typeof regex !== 'object' || regex === null || !('pattern' in regex) || !('flags' in regex)) return;
    found.push({
      at: `${source.file}:${lineAt(source.text, node.start)}`,
      expression: new RegExp(String(regex.pattern), String(regex.flags)),
    });
  });
  return found;
}

/** The lines of a file that construct an expression. */
export function constructionsIn(source: Source): readonly string[] {
  const found: string[] = [];
  walk(source.program, (node) => {
    if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return;
    const callee = childOf(node, 'callee');
    if (nameOf(callee) === 'RegExp' || nameOf(callee && childOf(callee, 'property')) === 'RegExp')
      found.push(`${source.file}:${lineAt(source.text, node.start)}`);
  });
  return found;
}

/** Loads a file once more and notes each expression that it constructs, with the line that does. */
export async function constructedBy({ file }: Source): Promise<readonly Expression[]> {
  const found: Expression[] = [];
  const url = `${pathToFileURL(path.join(REPOSITORY, file)).href}?constructed`;
  const Original = globalThis.RegExp;
  class Noted extends Original {
    constructor(pattern: RegExp | string, flags?: string) {
      super(pattern, flags);
      const line = lineIn(new Error('stack').stack ?? '', url);
      if (line !== null) found.push({ at: `${file}:${line}`, expression: new Original(pattern, flags) });
    }
  }
  globalThis.RegExp = Noted as typeof RegExp;
  try {
    await import(url);
  } finally {
    globalThis.RegExp = Original;
  }
  return found;
}

/** The line of the innermost frame when it is of that file. */
function lineIn(stack: string, url: string): string | null {
  const frame = stack.split('\n').find((line) => line.includes('    at ') && !line.includes('Noted'));
  const at = frame?.indexOf(`${url}:`) ?? -1;
  return frame === undefined || at < 0 ? null : (frame.slice(at + url.length + 1).split(':')[0] ?? null);
}
