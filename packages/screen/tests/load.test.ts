/** Checks that a wrong profile says what is wrong with it. */
import { expect, test } from 'vitest';
import { BUILT_IN_DOCUMENTS, loadProfile } from '../src/index.ts';
import type { ProfileDocument } from '../src/index.ts';

const [claude] = BUILT_IN_DOCUMENTS;

function changed(change: (document: ProfileDocument) => unknown): ReturnType<typeof loadProfile> {
  if (claude === undefined) throw new Error('There is no built-in profile');
  return loadProfile(change(claude));
}

test('given a built-in document that went through JSON, when it is loaded, then it is a profile', () => {
  for (const document of BUILT_IN_DOCUMENTS) {
    expect(loadProfile(JSON.parse(JSON.stringify(document)))).toMatchObject({
      kind: 'ok',
      profile: { id: document.id },
    });
  }
});

test('given another format, when it is loaded, then the format that is read is named', () => {
  const when = changed((document) => ({ ...document, format: 7 }));

  expect(when).toEqual({
    kind: 'invalid',
    problems: [{ path: 'format', message: 'must be 1, the format this version of Drover reads, but is 7' }],
  });
});

test('given a broken expression, when it is loaded, then its field is named', () => {
  const when = changed((document) => ({ ...document, screen: { ...document.screen, block: '([' } }));

  expect(when).toMatchObject({ kind: 'invalid', problems: [{ path: 'screen.block' }] });
});

test('given patterns that are slow on hostile text, when they are loaded, then each is refused by its path and its words', () => {
  const when = changed((document) => ({
    ...document,
    errors: [{ id: 'own', error: 'api', matches: '\\w+ failed' }, ...document.errors],
    screen: { ...document.screen, aside: '(a+)+$', noise: [...document.screen.noise, '^ok \\d+'] },
  }));

  expect(when).toMatchObject({
    kind: 'invalid',
    problems: [
      { path: 'screen.aside', message: expect.stringContaining('the pattern "(a+)+$" takes time that grows') },
      { path: 'errors.0.matches', message: expect.stringContaining('the pattern "\\\\w+ failed" takes time') },
    ],
  });
});

test('given patterns that are too many or too long, when they are loaded, then that is said instead of checking them', () => {
  const many = changed((document) => ({
    ...document,
    screen: { ...document.screen, noise: Array.from({ length: 201 }, (_, index) => `^a${index}`) },
  }));
  const long = changed((document) => ({ ...document, screen: { ...document.screen, block: 'a'.repeat(501) } }));

  expect(many).toMatchObject({ problems: [{ path: 'screen', message: expect.stringContaining('201 patterns') }] });
  expect(long).toMatchObject({ problems: [{ path: 'screen.block', message: expect.stringContaining('501') }] });
});

test('given a misspelt field, when it is loaded, then it is refused by name', () => {
  const when = changed((document) => ({ ...document, typing: { ...document.typing, setleMs: 5 } }));

  expect(when).toMatchObject({
    kind: 'invalid',
    problems: [{ path: 'typing', message: expect.stringContaining('setleMs') }],
  });
});

test('given two rules of one name, when it is loaded, then the name is given', () => {
  const when = changed((document) => ({ ...document, screen: { ...document.screen, retrying: document.screen.busy } }));

  expect(when).toMatchObject({ kind: 'invalid', problems: [{ message: expect.stringContaining('"busy-glyph"') }] });
});

test.each([null, 'claude', 7, [], {}])(
  'given %o, when it is loaded, then it is invalid and nothing throws',
  (given) => {
    expect(loadProfile(given)).toMatchObject({ kind: 'invalid' });
  },
);
