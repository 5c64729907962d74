/** Finds the error codes that product code raises and that tests name. */
import { isTest, type Source } from '../source/source.ts';
import { childOf, nameOf, walk } from '../source/walk.ts';

/** Files that name a code without raising it: the taxonomy's own rows, and the plans for each code. */
const TABLES = [
  /^packages\/core\/src\/taxonomy\/(?:[a-z]+-errors|codes|definition)\.ts$/u,
  /^packages\/core\/src\/(?:retry|policy)\//u,
  /^packages\/core\/src\/recovery\/(?:[a-z-]*plans?|alternatives|budgets|strategies|configurations)\.ts$/u,
];

/** Rooms that stand for other programs in tests and measurements: an error there is none of Drover's. */
const STAND_INS = /^(?:packages\/(?:testkit|real-agents)|apps\/sim-agent|tools|bench)\//u;

/** A comparison asks about a code, it does not raise one. */
const COMPARISONS: readonly unknown[] = ['===', '!==', '==', '!='];

/** The codes without an emitter, and those without a test. */
export type Unproven = { readonly neverRaised: readonly string[]; readonly neverTested: readonly string[] };

/**
 * Lists the codes that are not raised or not tested. Product code raises a code by having it as the value of an expression: not as a key, a type, a
 * `case`, or one side of a comparison. A test tests a code by naming it.
 */
export function unprovenCodes(codes: readonly string[], sources: readonly Source[]): Unproven {
  const raised = new Set<string>();
  const tested = new Set<string>();
  for (const source of sources) {
    if (isTest(source.file)) for (const code of namedIn(source)) tested.add(code);
    else if (isProduct(source.file)) for (const code of raisedIn(source)) raised.add(code);
  }
  return {
    neverRaised: codes.filter((code) => !raised.has(code)),
    neverTested: codes.filter((code) => !tested.has(code)),
  };
}

function isProduct(file: string): boolean {
  return !STAND_INS.test(file) && !TABLES.some((table) => table.test(file));
}

function namedIn(source: Source): readonly string[] {
  const names: string[] = [];
  walk(source.program, (node) => {
    if (node.type === 'Literal') names.push(nameOf(node) ?? '');
    // A row of a table has the code as its key.
    if (node.type === 'Property') names.push(nameOf(childOf(node, 'key')) ?? '');
  });
  return names;
}

function raisedIn(source: Source): readonly string[] {
  const names: string[] = [];
  walk(source.program, (node, { parent, key }) => {
    if (node.type !== 'Literal' || parent === null) return;
    if (parent.type === 'TSLiteralType' || (parent.type === 'SwitchCase' && key === 'test')) return;
    if (parent.type === 'Property' && key === 'key') return;
    if (parent.type === 'BinaryExpression' && COMPARISONS.includes(parent['operator'])) return;
    names.push(nameOf(node) ?? '');
  });
  return names;
}
