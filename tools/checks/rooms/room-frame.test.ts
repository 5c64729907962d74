// Checks that every room has the parts that a room must have.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { frameProblems, type Frame } from './room-frame.ts';
import { listRooms, readText, REPOSITORY } from '../source/rooms.ts';

function read(file: string): string | null {
  return existsSync(path.join(REPOSITORY, file)) ? readText(file) : null;
}

test('given every room, when its frame is checked, then nothing is missing', () => {
  const frames = listRooms().map((room) => ({
    ...room,
    readme: read(`${room.directory}/README.md`),
    hasTsconfig: existsSync(path.join(REPOSITORY, room.directory, 'tsconfig.json')),
  }));

  expect(frames.flatMap(frameProblems)).toEqual([]);
});

const GOOD: Frame = {
  directory: 'packages/example',
  manifest: {
    name: '@drover/example',
    private: true,
    type: 'module',
    exports: { '.': './src/index.ts' },
    dependencies: {},
    devDependencies: {},
    optionalDependencies: {},
    peerDependencies: {},
  },
  readme: 'Does this.\nNever does that.\nApps may import it.\n',
  hasTsconfig: false,
};

test('given a good frame, when it is checked, then there is no problem', () => {
  expect(frameProblems(GOOD)).toEqual([]);
});

test('given a README with a title and a manual below, when its frame is checked, then there is no problem', () => {
  expect(frameProblems({ ...GOOD, readme: `# example\n\n${GOOD.readme}\n## Use\n\nLike\nthis.\n` })).toEqual([]);
});

test.each<[string, Frame]>([
  ['no README', { ...GOOD, readme: null }],
  ['a README of two lines', { ...GOOD, readme: 'Does this.\nNever does that.\n' }],
  ['a README of four lines', { ...GOOD, readme: `${GOOD.readme}More.\n` }],
  ['a README that promises nothing', { ...GOOD, readme: 'Does this.\nAnd that.\nApps may import it.\n' }],
  ['compiler options of its own', { ...GOOD, hasTsconfig: true }],
  ['another name', { ...GOOD, manifest: { ...GOOD.manifest, name: 'example' } }],
  ['a door into its inside', { ...GOOD, manifest: { ...GOOD.manifest, exports: { '.': 'a', './src/*': 'b' } } }],
  ['no door', { ...GOOD, manifest: { ...GOOD.manifest, exports: {} } }],
])('given a room with %s, when its frame is checked, then that is a problem', (_, frame) => {
  expect(frameProblems(frame)).toHaveLength(1);
});
