// Judges the matrix. A run that tested nothing has not passed.

/** Arrangement of servers, and whether the tests passed on it. */
export interface Outcome {
  readonly name: string;
  readonly passed: boolean;
}

/** Lines printed last, and the exit status. */
export interface Verdict {
  readonly lines: readonly string[];
  readonly exitCode: 0 | 1 | 2;
}

/**
 * @param engine Why no container can be started; null: an engine answers. @param outcomes Of those that were asked for.
 * @returns 0 only where at least one arrangement was tested and each passed; 2 where nothing was tested.
 */
export function verdictOf(engine: string | null, outcomes: readonly Outcome[]): Verdict {
  if (engine !== null) {
    const lines = [
      `test:matrix: NOTHING WAS TESTED. No container engine answers: ${engine}`,
      'Start Docker, or name one with DOCKER_HOST, and run it again. "npm test" covers the embedded Postgres alone.',
    ];
    return { lines, exitCode: 2 };
  }
  if (outcomes.length === 0) return { lines: ['test:matrix: NOTHING WAS TESTED.'], exitCode: 2 };
  const failed = outcomes.filter(({ passed }) => !passed).length;
  const lines = outcomes.map(({ name, passed }) => `${name}: ${passed ? 'passed' : 'FAILED'}`);
  return { lines: [...lines, `${outcomes.length - failed} passed, ${failed} failed`], exitCode: failed === 0 ? 0 : 1 };
}

/** @returns the names that are asked for, all without any. @throws for one that there is not. */
export function chosen(names: readonly string[], all: readonly string[]): readonly string[] {
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}; there are: ${all.join(', ')}`);
  return names.length === 0 ? all : names;
}
