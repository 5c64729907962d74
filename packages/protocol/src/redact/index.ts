/** What does the taking out of secrets offer? */
export { isSecretName } from './names.ts';
export { REDACTED, Redactor, VALUE_LENGTH_MIN } from './redactor.ts';
