// Compiles a statement once: most of the processor's time of a short transaction went into building the same texts again.
import type { CompiledQuery } from 'kysely';

/** Place of a value in a statement that was compiled without values. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Builds the statement at its first use; later uses have the same text and other values.
 *
 * @param build Passes the values of `given` on as parameters, each by its name, and does not look at them: it is called once, without values.
 */
export function compiledOnce<Db, Given extends object, Row>(
  build: (db: Db, given: Given) => { readonly compile: (db: Db) => CompiledQuery<Row> },
): (db: Db, given: Given) => CompiledQuery<Row> {
  let known: CompiledQuery<Row> | null = null;
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)), ownKeys: refuse, has: refuse }) as Given;
  return (db, given) => {
    known ??= build(db, slots).compile(db);
    const parameters = known.parameters.map((one): unknown =>
      one instanceof Slot ? Reflect.get(given, one.name) : one,
    );
    return { ...known, parameters };
  };
}

function refuse(): never {
  throw new TypeError('A statement that is compiled once must name each value: it spread or listed them');
}
