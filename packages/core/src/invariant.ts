/** Holds what must be true; a failure is a bug in Drover, never a fault of the world. */

/** Thrown when something happened that the code's own rules exclude. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** @throws {InvariantError} with the message when the condition does not hold. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
