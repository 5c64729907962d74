import { expect, test } from 'vitest';
import { isNewBuild } from './build.ts';

const page = (script: string) => `<!doctype html><script type="module" crossorigin src="${script}"></script>`;

test('given the page as it is served, when its first script is another one, then the build is new; a proxy’s own page is none', () => {
  expect(isNewBuild('/assets/index-a.js', page('/assets/index-b.js'))).toBe(true);
  expect(isNewBuild('/assets/index-a.js', page('/assets/index-a.js'))).toBe(false);
  expect(isNewBuild('/assets/index-a.js', '<html><script src="https://proxy.example/x.js"></script>')).toBe(false);
  expect(isNewBuild('/assets/index-a.js', null)).toBe(false);
  expect(isNewBuild(null, page('/assets/index-b.js'))).toBe(false);
});
