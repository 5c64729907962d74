/** Entry of the room that takes out secrets. */
export { isSecretName } from './names.ts';
export { REDACTED, Redactor, VALUE_LENGTH_MIN } from './redactor.ts';
