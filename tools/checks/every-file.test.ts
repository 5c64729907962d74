// Runs each check on every file. Parses the files once for all checks, because parsing takes longer than most checks. Tests beside each
// check try how it judges.
import { globSync } from 'node:fs';
import { ERROR_CODES } from '@drover/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { citationProblems } from './code/citations.ts';
import { commentProblems } from './code/comments.ts';
import { effectProblems } from './code/effects.ts';
import { unprovenCodes } from './code/error-codes.ts';
import { listenerProblems } from './code/listeners.ts';
import { layerProblems, rowProblems, sliceProblems } from './code/slices.ts';
import { glossaryProblems, readGlossary, storedNameProblems } from './names/glossary.ts';
import { dependencyProblems } from './rooms/dependencies.ts';
import { floorProblems, readFloors } from './rooms/floors.ts';
import { importProblems } from './rooms/imports.ts';
import { layersOf, listRooms, readManifest, readText, REPOSITORY } from './source/rooms.ts';
import { isTest, sourcesIn, type Source } from './source/source.ts';

let sources: readonly Source[];
beforeAll(() => {
  sources = sourcesIn(listRooms().map((room) => room.directory));
});
// Hundreds of megabytes, in a process that other files share.
afterAll(() => {
  sources = [];
});

test('given every file, when it is read, then it begins with a comment that says something, and names no path of one machine', () => {
  expect(sources.flatMap(commentProblems)).toEqual([]);
});

test('given every file that is no adapter, when it is read, then it has no effect that lint cannot name', () => {
  expect(sources.flatMap(effectProblems)).toEqual([]);
});

test('given every file of the product, when it is read, then what listens for the end of something also stops listening', () => {
  expect(sources.flatMap(listenerProblems)).toEqual([]);
});

test('given every comment, when it cites a page of docs, then the page is there', () => {
  const pages = globSync('docs/**/*.md', { cwd: REPOSITORY }).map((page) => page.replaceAll('\\', '/'));

  expect(sources.flatMap((source) => citationProblems(source, pages))).toEqual([]);
});

test('given every error code, when the source is read, then product code raises it and a test names it', () => {
  expect(unprovenCodes(ERROR_CODES, sources)).toEqual({ neverRaised: [], neverTested: [] });
});

test('given the glossary, when every declared, sent and stored name is read, then none has a retired word', () => {
  const glossary = readGlossary(readText('docs/glossary.md'));
  const migrations = globSync('migrations/*.sql', { cwd: REPOSITORY });

  expect(sources.flatMap((source) => glossaryProblems(source, glossary))).toEqual([]);
  expect(migrations.flatMap((file) => storedNameProblems(file, readText(file), glossary))).toEqual([]);
});

test('given every file, when its imports are read, then they go to lower rooms only', () => {
  const layers = layersOf(readText('docs/architecture.md'));

  expect(sources.flatMap((source) => importProblems(source, layers))).toEqual([]);
});

test('given every room, when its imports are compared with its package.json, then they are the same', () => {
  const root = readManifest('.');

  expect(listRooms().flatMap((room) => dependencyProblems(room, below(room.directory), root))).toEqual([]);
});

test('given the coordinator, when its imports are read, then all go down its floors', () => {
  const root = 'apps/coordinator/src';
  const floors = readFloors(readText('apps/coordinator/README.md'));
  const product = below(root).filter(({ file }) => !isTest(file));

  expect(product.flatMap((source) => floorProblems(source, root, floors))).toEqual([]);
});

test('given core, when its imports are read, then all go one way', () => {
  expect(below('packages/core/src').flatMap(layerProblems)).toEqual([]);
});

test('given core, when its decisions are read, then each slice is written by its own file alone', () => {
  expect(below('packages/core/src').flatMap(sliceProblems)).toEqual([]);
});

test('given the coordinator, when its writes are read, then rows of workers are written by its loop alone', () => {
  expect(sources.flatMap(rowProblems)).toEqual([]);
});

function below(directory: string): readonly Source[] {
  return sources.filter(({ file }) => file.startsWith(`${directory}/`));
}
