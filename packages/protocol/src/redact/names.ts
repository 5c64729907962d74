/** Which names mean that their value is a secret? */
import type { Form } from './forms.ts';

/** Endings of variables that hold secrets everywhere. Upper case: in code the lower-case words are names of anything. */
const KNOWN = '[A-Z0-9_]*(?:API_KEY|APIKEY|SECRET|SECRET_KEY|ACCESS_KEY|PRIVATE_KEY|TOKEN|PASSWORD|PASSWD|PASSPHRASE)';
const KNOWN_WORDS = ['KEY', 'SECRET', 'TOKEN', 'PASSWORD', 'PASSWD', 'PASSPHRASE'];
const KNOWN_WHOLE = new RegExp(`^${KNOWN}$`);

/** Whether a variable of this name holds a secret: by its ending, or by one of the patterns that the owner configured. */
export function isSecretName(name: string, patterns: readonly string[]): boolean {
  return KNOWN_WHOLE.test(name) || patterns.some((pattern) => new RegExp(`^${wildcards(pattern)}$`, 'i').test(name));
}

/**
 * The forms in which a name stands before its value in a text. Of configured names: `name=value`, `name: value` and `"name": "value"`, also
 * where the quotes are escaped once more; `name: value` without quotes goes to the end of the line. Of known endings only what no
 * code looks like. Quotes stay, so that JSON stays JSON.
 */
export function formsOfNames(patterns: readonly string[]): readonly Form[] {
  return patterns.flatMap((pattern) => formsOfName(pattern));
}

function formsOfName(pattern: string): readonly Form[] {
  const marks = pattern
    .toLowerCase()
    .split('*')
    .toSorted((a, b) => b.length - a.length)
    .slice(0, 1);
  const name = `(?<![A-Za-z0-9_])\\\\*["']?${wildcards(pattern)}\\\\*["']?`;
  const plain = [
    `(${name}\\s*=>?\\s*)${NEW}[^\\s"'\\\\=>][^\\s"']*`,
    `(${name}:[ \\t]+)${NEW}[^\\n"'\\s\\\\][^\\n,}]*`,
    `(${name}:)${NEW}[^\\s"'\\\\,}][^\\s"',}]*`,
  ];
  return [
    ...quotedForms(wildcards(pattern), { marks, flags: 'gi' }),
    ...plain.map((form) => ({ marks, anyCase: true, pattern: new RegExp(form, 'gi') })),
  ].map((form) => ({ ...form, anyCase: true }));
}

/** A value in quotes, to the closing one or to the end of its line. */
function quotedForms(name: string, { marks, flags }: { marks: readonly string[]; flags: string }): readonly Form[] {
  const before = `(?<![A-Za-z0-9_])\\\\*["']?${name}\\\\*["']?\\s*(?:=>?|:)\\s*`;
  return [
    { marks, pattern: new RegExp(`(${before}")${NEW}(?:[^"\\\\\\n]|\\\\.)+`, flags) },
    { marks, pattern: new RegExp(`(${before}')${NEW}[^'\\n]+`, flags) },
    { marks, pattern: new RegExp(`(${before}\\\\+["'])${NEW}.+?(?=\\\\+["']|$)`, `${flags}m`) },
  ];
}

/** What was taken out already stays. */
const NEW = String.raw`(?!\[redacted\])`;

/** The names that are known without being configured. */
export const FORMS_OF_KNOWN_NAMES: readonly Form[] = [
  {
    marks: KNOWN_WORDS.map((word) => `${word}=`),
    pattern: new RegExp(`(\\b${KNOWN}=["']?)${NEW}[^\\s"'$]{6,}`, 'g'),
  },
  ...quotedForms(KNOWN, { marks: KNOWN_WORDS, flags: 'g' }),
];

/** `*` is any letters, digits and `_`; all else stands for itself. */
function wildcards(pattern: string): string {
  return pattern
    .split('*')
    .map((part) => part.replaceAll(/[^\w]/g, String.raw`\$&`))
    .join('[A-Za-z0-9_]*');
}
