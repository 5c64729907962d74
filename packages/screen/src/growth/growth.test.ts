/** Checks that expressions that are slow on hostile text are told from those that are not. */
import { expect, test } from 'vitest';
import { slowTextFor } from './growth.ts';

test.each([
  /(a+)+$/u,
  /^(a|a)*$/u,
  /\s+$/,
  /a+b/,
  /\d+(?:\.\d+)?s\b/,
  /x.*y/,
  /^.*a.*b.*c$/,
  /^\s*│?\s*$/u,
  /\beyJ[\w-]{8,}\.[\w-]{8,}/,
  /foo\w*bar/,
  /(?:x{0,300}y)*z/,
  /(?<=a+)b/,
  /(?<![a-z])\\*["']?[A-Z_]*TOKEN=/,
  /listen EACCES[^\n]*:\d/i,
  /^\s*--- FAIL/m,
  /(?=(a+))\1b/,
  /[\p{L}]+!/v,
])('given %s, when it meets texts of its own parts, then a text is found on which it is slow', (expression) => {
  expect(slowTextFor(expression)).toMatchObject({ text: expect.any(String) });
});

test.each([
  /(?<!\s)\s+$/,
  /(?<!a)a+b/,
  /x.{0,200}y/,
  /^.*x$/u,
  /[a-z]{0,300}z/,
  /^(?=(\w*))\1c/,
  /\beyJ[\w-]{8,}(\.[\w-]{8,}\.[\w-]{8,})?/g,
  /"(?:[^"\\]|\\.)*"?/gu,
  /(?<first>a)(?:b\k<first>)?/u,
  /(?<=ab)c|(?<!x)y/,
  /a*?b|a{60000}/y,
])('given %s, when it meets texts of its own parts, then its steps grow with their length', (expression) => {
  expect(slowTextFor(expression)).toBeNull();
});
