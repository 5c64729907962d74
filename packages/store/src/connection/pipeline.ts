/**
 * Writes in a transaction without waiting for each answer: sends a write whose answer is not needed, and goes on. The
 * transaction waits for all its writes before it commits (docs/adr/0003-writes-are-pipelined.md).
 */
import { PostgresDialect, PostgresDriver } from 'kysely';
import type {
  CompiledQuery,
  DatabaseConnection,
  PostgresDialectConfig,
  QueryExecutorProvider,
  QueryResult,
  TransactionSettings,
} from 'kysely';

/** Statement that Kysely compiles: a query that was built, or `sql`. */
export interface Statement {
  readonly compile: (db: QueryExecutorProvider) => CompiledQuery;
}

/** Receiver of a statement: the pool, or a transaction. */
export interface Sender extends QueryExecutorProvider {
  readonly executeQuery: (compiled: CompiledQuery) => Promise<unknown>;
}

/** Statements that `send` was given. */
const sent = new WeakSet<CompiledQuery>();

/**
 * Sends a statement whose answer is not needed. In a transaction it returns before the database has answered. A failure is thrown by the
 * commit, or by the next statement that fails because of it, and nothing of the transaction is kept.
 */
export async function send(db: Sender, statement: Statement | CompiledQuery): Promise<void> {
  const compiled = 'compile' in statement ? statement.compile(db) : statement;
  sent.add(compiled);
  await db.executeQuery(compiled);
}

/** Writes that a transaction sent and did not wait for. */
class Outstanding {
  readonly #answers: Promise<unknown>[] = [];
  #failure: { readonly error: unknown } | null = null;

  add(answer: Promise<unknown>): void {
    this.#answers.push(
      answer.catch((error: unknown) => {
        this.#failure ??= { error };
      }),
    );
  }

  /** Waits for all of them. @throws what the first one that failed says: the statements after it only say that the transaction is over. */
  async settle(): Promise<void> {
    await Promise.all(this.#answers);
    if (this.#failure !== null) throw this.#failure.error;
  }
}

/** Kysely's dialect, whose transactions do not wait for what `send` sends. The clients of its pool must be pipelined ones. */
export class PipelinedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): PostgresDriver {
    return new PipelinedDriver(this.#config);
  }
}

class PipelinedDriver extends PostgresDriver {
  /** The connections that this driver made its own. */
  readonly #known = new WeakSet<DatabaseConnection>();
  /** Unfinished writes of each connection that is in a transaction. */
  readonly #outstanding = new WeakMap<DatabaseConnection, Outstanding>();

  override async acquireConnection(
    ...options: Parameters<PostgresDriver['acquireConnection']>
  ): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection(...options);
    if (this.#known.has(connection)) return connection;
    this.#known.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = async <Row>(compiled: CompiledQuery): Promise<QueryResult<Row>> => {
      const answer = execute<Row>(compiled);
      const outstanding = this.#outstanding.get(connection);
      if (outstanding === undefined) return answer;
      if (sent.has(compiled)) {
        outstanding.add(answer);
        return { rows: [] };
      }
      try {
        return await answer;
      } catch (error) {
        await outstanding.settle();
        throw error;
      }
    };
    return connection;
  }

  /** Waits for the answer: if the beginning failed, statements sent behind it would be saved without a transaction. */
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await super.beginTransaction(connection, settings);
    this.#outstanding.set(connection, new Outstanding());
  }

  /** Commits only once all writes are done: a write with a value that cannot be sent fails here, and the database hears nothing of it. */
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#outstanding.get(connection)?.settle();
    this.#outstanding.delete(connection);
    await super.commitTransaction(connection);
  }

  override async rollbackTransaction(
    ...[connection]: Parameters<PostgresDriver['rollbackTransaction']>
  ): Promise<void> {
    this.#outstanding.delete(connection);
    await super.rollbackTransaction(connection);
  }
}
