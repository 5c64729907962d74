/** Checks that no secret passes, however it is written, coloured, broken or cut, and that all else stays as it was. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { REDACTED, Redactor } from './index.ts';

const [SECRET, PHRASE] = ['hunter2-canary/+x', 'correct horse "battery" staple'];
const redactor = new Redactor({ names: ['*_KEY', 'DB_PASS'], values: [SECRET, PHRASE] });

const long = (length: number): string => 'aB3dE5fG7h'.repeat(20).slice(0, length);

test.each([
  ['Anthropic', `sk-ant-api03-${long(80)}`],
  ['OpenAI', `sk-proj-${long(40)}`],
  ['Drover', `drv_${long(43)}`],
  ['an invitation of Drover', `drover-join.${long(43)}.${long(20)}`],
  ['GitHub', `ghp_${long(36)}`],
  ['GitHub, fine-grained', `github_pat_${long(60)}`],
  ['GitLab', `glpat-${long(20)}`],
  ['a runner of GitLab', `glrt-${long(20)}`],
  ['npm', `npm_${long(36)}`],
  ['PyPI', `pypi-AgEIcHlwaS5vcmc${long(60)}`],
  ['Slack', `xoxb-1234567890-${long(24)}`],
  ['Slack, of an app', `xapp-1-${long(30)}`],
  ['Google', `AIza${long(35)}`],
  ['Google OAuth', `ya29.${long(60)}`],
  ['AWS', 'AKIAIOSFODNN7EXAMPLE'],
  ['a session of AWS', `IQoJb3JpZ2luX2Vj${long(100)}`],
  ['Stripe', `sk_live_${long(24)}`],
  ['a webhook of Stripe', `whsec_${long(32)}`],
  ['Hugging Face', `hf_${long(34)}`],
  ['Vault', `hvs.${long(90)}`],
  ['Docker', `dckr_pat_${long(27)}`],
  ['a JWT', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${long(43)}`],
])('given a token of %s among words, when the text is redacted, then the words alone are left', (_, secret) => {
  expect(redactor.text(`before ${secret} after`)).toBe(`before ${REDACTED} after`);
  expect(redactor.text(`"${secret}"`)).toBe(`"${REDACTED}"`);
});

test.each([
  ['postgres://drover:s3cr3t-word@db.example.com/drover', `postgres://drover:${REDACTED}@db.example.com/drover`],
  ['redis://:s3cr3tword@cache:6379', `redis://:${REDACTED}@cache:6379`],
  ['https://hooks.slack.com/services/T0000/B0000/abcdefghijklmnop', `https://hooks.slack.com/services/${REDACTED}`],
  ['curl -H "Authorization: Bearer abcdefghijklmnop1234"', `curl -H "Authorization: Bearer ${REDACTED}"`],
  ['Authorization: Basic dXNlcjpwYXNz', `Authorization: Basic ${REDACTED}`],
  ['GET /x?a=1&access_token=abcdefgh12&b=2', `GET /x?a=1&access_token=${REDACTED}&b=2`],
  ['MY_API_KEY=abcdefgh next', `MY_API_KEY=${REDACTED} next`],
  ['{"NPM_TOKEN": "abcdefgh", "a": 1}', `{"NPM_TOKEN": "${REDACTED}", "a": 1}`],
  ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', `aws_secret_access_key = ${REDACTED}`],
  ['x\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nowIB\n-----END RSA PRIVATE KEY-----\ny', `x\n${REDACTED}\n\n\n\ny`],
  [`[…]\n${long(64)}\n${long(20)}\n-----END PRIVATE KEY-----\ny`, `[…]\n${REDACTED}\n\n\ny`],
])('given %s, when it is redacted, then only the secret goes', (text, expected) => {
  expect(redactor.text(text)).toBe(expected);
});

test.each([
  ['DB_PASS=a', `DB_PASS=${REDACTED}`],
  ['db_pass: two words\nnext: 1', `db_pass: ${REDACTED}\nnext: 1`],
  ['{"DB_PASS": "ab\\"c", "x": 1}', `{"DB_PASS": "${REDACTED}", "x": 1}`],
  ['{\\"DB_PASS\\":\\"abc\\",\\"x\\":2}', `{\\"DB_PASS\\":\\"${REDACTED}\\",\\"x\\":2}`],
  ["export MY_KEY='a b'; echo", `export MY_KEY='${REDACTED}'; echo`],
  ['DB_PASS => "a"', `DB_PASS => "${REDACTED}"`],
  ['{"DB_PASS":1234,"x":1}', `{"DB_PASS":${REDACTED},"x":1}`],
  ['monkey=banana KEYS=1 a_key', 'monkey=banana KEYS=1 a_key'],
])('given the configured names, when %s is redacted, then their values go', (text, expected) => {
  expect(redactor.text(text)).toBe(expected);
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each([
  ['as it is', SECRET],
  ['in JSON', JSON.stringify(PHRASE).slice(1, -1)],
  ['in JSON within JSON', JSON.stringify(JSON.stringify(PHRASE).slice(1, -1)).slice(1, -1)],
  ['in a URL', encodeURIComponent(PHRASE)],
  ['in a form', encodeURIComponent(PHRASE).replaceAll('%20', '+')],
  ['in hexadecimal digits', Buffer.from(SECRET).toString('hex')],
  ['in base64', base64(SECRET)],
  ['in base64 behind one letter', base64(`a${SECRET}`)],
  ['in base64 behind two letters', base64(`ab${SECRET}zz`)],
  ['in base64 for URLs', Buffer.from(`user:${SECRET}`).toString('base64url')],
])('given a configured value %s, when it is redacted, then all of it goes', (_, text) => {
  expect(redactor.text(`> ${text} <`)).toBe(`> ${REDACTED} <`);
});

test.each([
  [
    'coloured',
    '\u001b[31mhunter2\u001b[0m-can\u001b[1;32mary/+x\u001b[0m end',
    `\u001b[31m${REDACTED}\u001b[0m\u001b[1;32m\u001b[0m end`,
  ],
  ['broken by a terminal', 'one hunter2-ca\nnary/+x two', `one ${REDACTED}\n two`],
  ['broken by a program in a frame', '│ hunter2-ca   │\n│   nary/+x    │ end', `│ ${REDACTED}\n    │ end`],
  ['coloured and broken', 'a hunter2-\u001b[0m  \n\u001b[2m canary/+x z', `a ${REDACTED}\u001b[0m\n\u001b[2m z`],
  ['with letters that are not seen', 'hunter2\u200b-canary\u00ad/+x', `${REDACTED}\u200b\u00ad`],
  ['that a program shortened', 'see hunter2-can… and hunter2-canary...', `see ${REDACTED}… and ${REDACTED}...`],
  ['in a link', `\u001b]8;;https://u:pa55word@host/\u001b\\x`, `\u001b]8;;https://u:${REDACTED}@host/\u001b\\x`],
  ['in a title', `\u001b]0;${SECRET}\u0007x`, `\u001b]0;${REDACTED}\u0007x`],
])('given a value %s, when a screen is redacted, then it goes and rows and colours stay', (_, screen, expected) => {
  expect(redactor.text(screen)).toBe(expected);
});

test('given a known form that a full row breaks, when a screen is redacted, then no half of it is left', () => {
  const token = `ghp_${long(36)}`;
  const screen = `${`${'x'.repeat(59)} ${token}`.slice(0, 80)}\n${`${'x'.repeat(59)} ${token}`.slice(80)} after\nlast`;

  expect(redactor.screen(screen, 80)).toBe(`${'x'.repeat(59)} ${REDACTED}\n after\nlast`);
});

test('given secrets with colours and breaks at every place, when they are redacted, then not four letters of them are left', () => {
  const betweens = ['\u001b[7m', '\n', '  \n  ', '\u001b[0m\n\u001b[38;5;12m', '\r\n', ' │\n│ '];
  const screens = [SECRET, PHRASE].flatMap((secret) =>
    placesIn(secret).flatMap((at) =>
      betweens.map((between) => ({ secret, screen: `a ${secret.slice(0, at)}${between}${secret.slice(at)} b` })),
    ),
  );

  const left = screens.filter(({ secret, screen }) => leftOf(secret, redactor.text(screen)));

  expect(left).toEqual([]);
});

test('given a text that was cut at every place, when it is redacted as cut, then not four letters of its secret are left', () => {
  const secrets = [SECRET, PHRASE, `ghp_${long(36)}`, `MY_KEY=${long(12)}`];
  const cuts = secrets.flatMap((secret) => {
    const text = `some words ${secret} more words`;
    const value = secret.replace('MY_KEY=', '');
    return placesIn(text).map((at) => ({ value, before: text.slice(0, at), after: text.slice(at) }));
  });

  const left = cuts.filter(({ value, before, after }) =>
    [redactor.cutText(before, { end: true }), redactor.cutText(after, { start: true })].some((out) =>
      leftOf(value, out),
    ),
  );

  expect(left).toEqual([]);
});

test('given secrets anywhere in any words, when they are redacted, then none is left and the second time changes nothing', () => {
  const secret = fc.constantFrom(
    SECRET,
    PHRASE,
    encodeURIComponent(PHRASE),
    base64(SECRET),
    `glpat-${long(20)}`,
    `DB_PASS=${long(9)}`,
  );
  const words = fc.oneof(
    fc.string(),
    fc.constantFrom('\n', '\u001b[1m', ' ', '"', '\\', '=', ': ', '[redacted]', 'DB_PASS', 'sk-'),
  );
  fc.assert(
    fc.property(fc.array(words), secret, fc.array(words), (before, one, after) => {
      const text = `${before.join('')} ${one} ${after.join('')}`;
      const out = redactor.text(text);
      return !out.includes(one.replace('DB_PASS=', '')) && redactor.text(out) === out;
    }),
  );
});

function placesIn(text: string): readonly number[] {
  return Array.from({ length: text.length - 1 }, (_, index) => index + 1);
}

/** Tells whether four letters of the secret in a row are there, unless they are words of the text around. */
function leftOf(secret: string, text: string): boolean {
  for (let at = 0; at + 4 <= secret.length; at += 1) {
    const piece = secret.slice(at, at + 4);
    if (text.includes(piece)) return true;
  }
  return false;
}

test.each([
  'const token: string = next(); if (a == b) return c => d;',
  'see https://example.com/a:b/c and user@example.com',
  'sk-learn, glossary-of-terms, npm_config_cache, _test_data_, risk-free',
  '\u001b[1mbold\u001b[0m\nrow\n\n  │ frame │',
  'TOKEN=$TOKEN PASSWORD= KEY=',
  'the key: value of a map, a_key and MONKEY',
])('given ordinary words such as %j, when they are redacted, then they stay', (text) => {
  expect(redactor.text(text)).toBe(text);
});

test('given texts of all kinds, when they are redacted twice, then the second time changes nothing', () => {
  const texts = [
    `DB_PASS="${SECRET}"`,
    `a ${base64(PHRASE)} b`,
    `DB_PASS: ${PHRASE}`,
    `x://u:${SECRET}@h`,
    `MY_KEY='x'; a`,
    `Bearer ${long(20)}`,
  ];
  for (const text of texts) expect(redactor.text(redactor.text(text))).toBe(redactor.text(text));
});

test('given a short value, when a text is redacted, then the words that hold it stay', () => {
  const short = new Redactor({ values: ['main', 'a'] });

  expect(short.text('the main branch')).toBe('the main branch');
});

test('given a value that is known later, when a text is redacted, then it goes; one that is not known any more stays', () => {
  const growing = new Redactor({ values: ['first-value'] });

  growing.add('added-value');
  growing.know({ values: ['second-value'] });

  expect(growing.text('first-value second-value added-value')).toBe(`first-value ${REDACTED} ${REDACTED}`);
});

test('given a value of many parts, when it is serialised, then secrets in texts, names of fields and errors are out', () => {
  const made = redactor.json({
    a: [SECRET, 1, null, true],
    [SECRET]: { b: new Error(`no ${SECRET}`) },
    at: new Date(0),
  });

  expect(made).not.toContain(SECRET);
  expect(JSON.parse(made)).toMatchObject({
    a: [REDACTED, 1, null, true],
    [REDACTED]: { b: expect.any(String) },
    at: '1970-01-01T00:00:00.000Z',
  });
});

test('given a text that is longer than any message, when it is redacted, then its end is cut at a word and the text says how much is not shown', () => {
  const text = `${'word '.repeat(900_000)}${SECRET}`;

  const out = redactor.text(text);

  expect(out.replaceAll('word ', '').replace(/\d+/, 'N')).toBe(`${REDACTED} [N characters more are not shown]`);
  expect(redactor.text(out) === out).toBe(true);
});
