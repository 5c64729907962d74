/** Counts how far the house is from its aims. Each is counted from the sources, so that two people get the same. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { ROUTES } from '@drover/api';
import { glossaryProblems, readGlossary, storedNameProblems } from '../checks/names/glossary.ts';
import { drawGraph, pileUp } from '../checks/rooms/graph.ts';
import { listFiles } from '../checks/source/files.ts';
import { readText, REPOSITORY } from '../checks/source/rooms.ts';
import { isTest, sourcesIn, type Source } from '../checks/source/source.ts';
import { childOf, walk } from '../checks/source/walk.ts';
import { countLines, line, type Measure } from './measure.ts';
import { measuresOfProof } from './proof.ts';
import { filesOfWalk } from './walk.ts';

/** Words that speak of builds before the first release. "Another build" is a database or a machine that this build does not know, and may stay. */
export const OLDER_BUILDS = /\b(?:older|earlier|former|previous) (?:builds?|releases?)\b/giu;
/** An empty text in place of a fact that is missing. */
const EMPTY_FALLBACK = /\?\? ''/gu;

const COORDINATOR = 'apps/coordinator/src';
const AGENT = 'apps/machine-agent/src';
/** Capture of a pane with colours, which only a reading and a person's view need. */
const CAPTURES = /\{ colours: true \}/u;
const MERGE = 'packages/core/src/merge';
const STORE = 'packages/store/src';
const SQL = `${STORE}/sql`;
const COLUMNS = `${STORE}/tables/columns.json`;
const SERVER = 'packages/embedded-postgres/src';
/** Files of runs. */
const RUNS = /\/runs\//u;

function without(sources: readonly Source[], files: RegExp): readonly Source[] {
  return sources.filter(({ file }) => !files.test(file));
}

/** All measures, in the sequence of the aims. */
export function takeMeasures(): readonly Measure[] {
  const sources = sourcesIn(['apps', 'packages', 'tools', 'bench']);
  const product = sources.filter(({ file }) => !isTest(file));
  const below = (folder: string): readonly Source[] => product.filter(({ file }) => file.startsWith(`${folder}/`));
  const graph = drawGraph(COORDINATOR, below(COORDINATOR));
  const { rooms, floors, backUp } = pileUp(graph);
  const migrations = readdirSync(path.join(REPOSITORY, 'migrations')).filter((name) => name.endsWith('.sql'));
  return [
    line('files in `migrations`', { first: 37, aim: 1 }, migrations.length),
    line('mentions of older builds in code, tests and SQL', { first: 79, aim: 0 }, countOlderBuilds()),
    line('retired words in names, fields and kinds', { first: 1_046, aim: 0 }, countRetired(sources, migrations)),
    line('files of `core/src/merge`', { first: 14, aim: 6 }, below(MERGE).length),
    line('lines of `core/src/merge`', { first: 1_888, aim: null }, countLines(below(MERGE))),
    line("`?? ''` in `core/src/merge`", { first: null, aim: 0 }, countText(below(MERGE), EMPTY_FALLBACK)),
    line('rooms of the coordinator', { first: 54, aim: null }, rooms),
    line('floors of the coordinator', { first: 17, aim: 8 }, floors),
    line('arrows that run back up', { first: 82, aim: 20 }, backUp.length),
    line('use cases that import a use case', { first: null, aim: 0 }, countUseCasesOnUseCases(graph)),
    line('files from a screen to its command', { first: 44, aim: 25 }, filesOfWalk().length),
    line('files that capture a pane to read it', { first: 8, aim: 1 }, countFiles(below(AGENT), CAPTURES)),
    line('second declarations of the port to a machine', { first: 7, aim: 0 }, countDeclaredTwice(product)),
    line(
      'lines of `packages/store/src` without runs',
      { first: 9_327, aim: 6_500 },
      countLines(without(below(STORE), RUNS)),
    ),
    line(
      'lines of runs there, which came after the aim',
      { first: null, aim: null },
      countLines(below(STORE).filter(({ file }) => RUNS.test(file))),
    ),
    line(`lines of \`${SERVER}\`, at first in the store`, { first: null, aim: null }, countLines(below(SERVER))),
    line('lines of both', { first: 9_327, aim: null }, countLines([...below(STORE), ...below(SERVER)])),
    line(
      'lines of `columns.json`, drawn, at first in the store',
      { first: null, aim: null },
      countLines([{ text: readText(COLUMNS) }]),
    ),
    line('casts in `store/src/sql`', { first: 62, aim: 10 }, countCasts(below(SQL))),
    line('tables of operations', { first: 3, aim: 1 }, countTables(below('packages/api/src'))),
    ...measuresOfProof(sources),
  ];
}

function countText(sources: readonly { readonly text: string }[], expression: RegExp): number {
  return sources.reduce((sum, { text }) => sum + (text.match(expression)?.length ?? 0), 0);
}

function countFiles(sources: readonly Source[], expression: RegExp): number {
  return sources.filter(({ file, text }) => !file.includes('/terminals/') && expression.test(text)).length;
}

/** Names that the rooms on a host declare again. */
function countDeclaredTwice(sources: readonly Source[]): number {
  const declaredIn = (...rooms: readonly string[]): readonly string[] =>
    sources
      .filter(({ file }) => rooms.some((room) => file.startsWith(room)))
      .flatMap(({ text }) => [...text.matchAll(/^export (?:interface|type) (\w+)/gmu)].map(([, name = '']) => name));
  const port = new Set(declaredIn('packages/host/src/host.ts', 'packages/host/src/port/'));
  return declaredIn('packages/tmux/src/', 'packages/worktree/src/').filter((name) => port.has(name)).length;
}

function countOlderBuilds(): number {
  const files = listFiles().filter((file) => /^(?:apps|packages|migrations)\/.*\.(?:ts|tsx|sql)$/u.test(file));
  return countText(
    files.map((file) => ({ text: readText(file) })),
    OLDER_BUILDS,
  );
}

function countRetired(sources: readonly Source[], migrations: readonly string[]): number {
  const glossary = readGlossary(readText('docs/glossary.md'));
  const stored = migrations.map((name) => `migrations/${name}`);
  return [
    ...sources.flatMap((source) => glossaryProblems(source, glossary)),
    ...stored.flatMap((file) => storedNameProblems(file, readText(file), glossary)),
  ].length;
}

/** Arrows from the room of one subject to that of another. */
function countUseCasesOnUseCases(graph: ReadonlyMap<string, ReadonlySet<string>>): number {
  const arrows = [...graph].flatMap(([room, others]) => (isUseCase(room) ? [...others].filter(isUseCase) : []));
  return arrows.length;
}

/** `x as T`, but not `as const`: the compiler believes it. */
export function countCasts(sources: readonly Source[]): number {
  let count = 0;
  for (const { program } of sources)
    walk(program, (node) => {
      if (node.type !== 'TSAsExpression') return;
      const type = childOf(node, 'typeAnnotation');
      const name = type === null ? null : childOf(type, 'typeName');
      if (name?.['name'] !== 'const') count += 1;
    });
  return count;
}

/** Files with a table of operations: an object with a dozen names of operations of several subjects, or put together from such lists. */
export function countTables(sources: readonly Source[]): number {
  const tables = sources.filter(({ program }) => {
    let isTable = false;
    walk(program, (node) => {
      if (node.type !== 'ObjectExpression' || !Array.isArray(node['properties'])) return;
      const names = node['properties'].map((it): string => String(it.key?.value ?? it.argument?.name ?? ''));
      const lists = names.filter((name) => name.endsWith('Operations'));
      const operations = names.filter((name) => name in ROUTES);
      const subjects = new Set(operations.map((name) => name.split('.')[0]));
      isTable ||= lists.length >= TABLE_ROWS_MIN || (operations.length >= TABLE_ROWS_MIN && subjects.size > 2);
    });
    return isTable;
  });
  return tables.length;
}

const TABLE_ROWS_MIN = 12;

function isUseCase(room: string): boolean {
  return room.startsWith('use-cases/') && !room.endsWith('.ts');
}
