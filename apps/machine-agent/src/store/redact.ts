/** Which secrets are taken out of everything that leaves the machine? Known forms only: words are not guessed at. */

/** Each form with what is kept of it, `$1`. Sources: the token formats that the services document. */
const FORMS: readonly { readonly pattern: RegExp; readonly kept: string }[] = [
  { pattern: /\bsk-[A-Za-z0-9_-]{16,}/g, kept: '' },
  { pattern: /\bgh[pousr]_[A-Za-z0-9]{20,}/g, kept: '' },
  { pattern: /\bgithub_pat_[A-Za-z0-9_]{20,}/g, kept: '' },
  { pattern: /\bglpat-[A-Za-z0-9_-]{16,}/g, kept: '' },
  { pattern: /\bnpm_[A-Za-z0-9]{30,}/g, kept: '' },
  { pattern: /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g, kept: '' },
  { pattern: /\bAIza[A-Za-z0-9_-]{30,}/g, kept: '' },
  { pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, kept: '' },
  { pattern: /\b(aws_secret_access_key\s*[=:]\s*)["']?[A-Za-z0-9/+=]{30,}["']?/gi, kept: '$1' },
  { pattern: /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g, kept: '' },
  { pattern: /\b(Bearer\s+)[A-Za-z0-9._~+/-]{16,}=*/gi, kept: '$1' },
  { pattern: /(:\/\/[^\s/:@]+:)[^\s/@]{3,}(?=@)/g, kept: '$1' },
  { pattern: /\b([A-Z0-9_]*(?:API_KEY|SECRET|TOKEN|PASSWORD|PASSWD)=)["']?[^\s"'$]{6,}["']?/g, kept: '$1' },
  {
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    kept: '',
  },
];

/** A text with none of these, or shorter than the shortest secret with its surroundings, holds none of the forms. */
const MARKS = /sk-|gh[pousr]_|github_pat_|glpat-|npm_|xox|AIza|A[KS]IA|aws_secret|eyJ|Bearer|:\/\/|=|-----BEGIN/i;
const LENGTH_MIN = 8;

/** What stands in the place of a secret. */
export const REDACTED = '[redacted]';

/** Takes the secrets out of a text. */
export function redact(text: string): string {
  // Nearly all texts are ids and plain words: one look at them, and not one for each form.
  if (text.length < LENGTH_MIN || !MARKS.test(text)) return text;
  return FORMS.reduce((rest, { pattern, kept }) => rest.replace(pattern, `${kept}${REDACTED}`), text);
}

/** Serialises a value with the secrets taken out of every string in it. */
export function redactedJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? redact(part) : part));
}
