/** Counts how large the proof is, how much the base room took over, and how far it is from a screen to its report and from a command to its pane. */
import path from 'node:path';
import { importsOf } from '../checks/rooms/imports.ts';
import { isTest, type Source } from '../checks/source/source.ts';
import { childOf, nameOf, walk } from '../checks/source/walk.ts';
import { readFaults } from '../faults/faults.ts';
import { countLines, line, type Measure } from './measure.ts';

/** Names that the base room declares for all. Another declaration of the name is a copy, or hides another thing behind it. */
const OF_BASE = ['Clock', 'Log', 'pause', 'messageOf', 'quoted'];
const DECLARATIONS = new Set([
  'FunctionDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'ClassDeclaration',
]);
/** Types of a command on its way from the decision to the pane. */
const COMMAND_TYPES = new Set(['Command', 'CommandEnvelope', 'IssuedCommand']);
const COMMAND_ROOMS = /^(?:packages\/(?:core|store)|apps\/(?:coordinator|machine-agent))\//u;
const AGENT = 'apps/machine-agent/src';
/** Files of the machine agent that do the steps from a screen to its report. */
const STEPS = ['panes/panes', 'panes/pane', 'store/outbox', 'sync/exchange', 'sync/socket-link'];
const FAULTS_MIN = 60;

/** Counts lines of TypeScript without tests, as the first figures did (docs/adr/0028). @param sources All of the repository. */
export function measuresOfProof(sources: readonly Source[]): readonly Measure[] {
  const proof = sources.filter(({ file }) => /^(?:tools|bench)\//u.test(file));
  const code = proof.filter(({ file }) => !isTest(file));
  const below = (folder: string): readonly Source[] => code.filter(({ file }) => file.startsWith(`${folder}/`));
  const simulation = below('tools/sim');
  const product = sources.filter(({ file }) => /^(?:apps|packages)\//u.test(file) && !isTest(file));
  const faults = readFaults().length;
  return [
    line('files of the machine agent from a screen to its report', { first: 37, aim: 22 }, countReport(product)),
    line('names of a command from the decision to the pane', { first: 7, aim: 3 }, namesOfCommand(product).size),
    ...OF_BASE.map((name) =>
      line(`declarations of \`${name}\``, { first: FIRST[name] ?? null, aim: 1 }, countDeclared(product, name)),
    ),
    line('lines of `tools/fleet`, the harness', { first: null, aim: 1_400 }, countLines(below('tools/fleet'))),
    line(
      'lines of `tools` without simulation, tests and JSON',
      { first: 9_600, aim: 12_000 },
      countLines(below('tools').filter((source) => !simulation.includes(source))),
    ),
    line('lines of `tools/sim`, the simulation, without tests', { first: 8_900, aim: 12_000 }, countLines(simulation)),
    line('lines of `bench` without tests', { first: 7_200, aim: 4_500 }, countLines(below('bench'))),
    line(
      'lines of tests in `tools` and `bench`, beside these',
      { first: 3_100, aim: null },
      countLines(proof.filter(({ file }) => isTest(file))),
    ),
    { ...line('planted faults', { first: null, aim: FAULTS_MIN }, faults), isKept: faults >= FAULTS_MIN },
  ];
}

const FIRST: Readonly<Record<string, number>> = { Clock: 7, Log: 5, pause: 5, messageOf: 10, quoted: 8 };

export function countDeclared(sources: readonly Source[], name: string): number {
  let count = 0;
  for (const { program } of sources)
    walk(program, (node) => {
      const isFunction = childOf(node, 'init')?.type === 'ArrowFunctionExpression';
      const isMeant = DECLARATIONS.has(node.type) || (node.type === 'VariableDeclarator' && isFunction);
      if (isMeant && nameOf(childOf(node, 'id')) === name) count += 1;
    });
  return count;
}

/** Names of fields and parameters that hold a command, in the rooms that it passes. */
export function namesOfCommand(sources: readonly Source[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { program } of sources.filter(({ file }) => COMMAND_ROOMS.test(file)))
    walk(program, (node) => {
      const annotation = childOf(node, 'typeAnnotation');
      const type = annotation === null ? null : childOf(annotation, 'typeAnnotation');
      const typeName = type === null ? null : nameOf(childOf(type, 'typeName'));
      if (typeName === null || !COMMAND_TYPES.has(typeName)) return;
      const name = node.type === 'Identifier' ? nameOf(node) : nameOf(childOf(node, 'key'));
      if (name !== null) names.add(name);
    });
  return names;
}

/** Files that run on the way, and those of the objects that its steps are given. @throws if a step's file is not there. */
function countReport(sources: readonly Source[]): number {
  const files = new Map(sources.map((source) => [source.file, source]));
  const steps = STEPS.map((step) => `${AGENT}/${step}.ts`);
  const gone = steps.filter((step) => !files.has(step));
  if (gone.length > 0) throw new Error(`tools/measure/proof.ts names files that are not there: ${gone.join(', ')}`);
  const importedBy = (file: string, isMeant: (kind: string) => boolean): readonly string[] => {
    const source = files.get(file);
    if (source === undefined) return [];
    return importsOf(source).flatMap(({ module, kind }) => {
      const target = module?.startsWith('.') === true ? path.posix.join(path.posix.dirname(file), module) : '';
      return isMeant(kind) && target.startsWith(`${AGENT}/`) ? [target] : [];
    });
  };
  const found = new Set<string>();
  for (let next = steps; next.length > 0;) {
    const fresh = next.filter((file) => !found.has(file));
    for (const file of fresh) found.add(file);
    next = fresh.flatMap((file) => importedBy(file, (kind) => kind === 'value'));
  }
  for (const file of steps.flatMap((step) => importedBy(step, (kind) => kind === 'type'))) found.add(file);
  return found.size;
}
