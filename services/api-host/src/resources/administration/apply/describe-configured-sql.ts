import { type Caller, type Configuration, ProblemError } from '@sluice/contract';
import type { DescribedSql } from '@sluice/store/datamaps';
import type { ResourceDatabase } from '@sluice/store/resources';
import type { DescribeSql, DescribeSqlInput } from '../../../use-cases/datamaps/describe-sql.ts';
import { changedContent, contentOf, isSameStatement, newContent } from '../../datamaps/datamap-content.ts';
import { isRejection } from './configuration-violations.ts';
import { findConfiguredDatamaps, isAmbiguous } from './find-configured-datamaps.ts';

interface DescribeConfiguredSqlContext {
  readonly database: Pick<ResourceDatabase, 'read'>;
  readonly describeSql: DescribeSql;
}

type NewStatement = Omit<DescribeSqlInput, 'signal'>;

const keyOf = ({ sql, parameters }: Pick<NewStatement, 'sql' | 'parameters'>): string =>
  JSON.stringify([sql, parameters]);

const newStatements = (
  database: Pick<ResourceDatabase, 'read'>,
  caller: Caller,
  wanted: Configuration,
): Promise<ReadonlyMap<string, NewStatement>> =>
  database.read(caller, async ({ datamaps }) => {
    const find = await findConfiguredDatamaps(datamaps, caller.principal, wanted);
    const statements = new Map<string, NewStatement>();
    for (const { id, state: _state, ...request } of wanted.datamaps ?? []) {
      const { name } = request;
      const found = id === undefined ? await find.byName(name) : await find.byId(id);
      if (isAmbiguous(found)) continue;
      const before = found && contentOf(found);
      const { sql, parameters } =
        before === undefined ? newContent(request, undefined) : changedContent(before, request, undefined);
      if (sql === null || (before !== undefined && isSameStatement({ sql, parameters }, before))) continue;
      const statement = { sql, parameters, target: name, datamapId: found?.record.id };
      statements.set(keyOf(statement), statements.get(keyOf(statement)) ?? statement);
    }
    return statements;
  });

const rejectionOf = (thrown: unknown): ProblemError => {
  if (!isRejection(thrown) || thrown.code === 'access_denied') throw thrown;
  return new ProblemError('invalid_request', thrown.message, {
    details: [{ path: 'body.sql', message: thrown.message }],
    cause: thrown,
  });
};

interface DescribeConfiguredSqlInput {
  readonly wanted: Configuration;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Describes every new statement of a file, before a transaction is opened: an engine may be slow. Returns a `DescribeSql` that
 * returns these results, and throws the errors of the engine for the datamap that has the statement. Throws the errors of an
 * engine that cannot be asked.
 */
export async function describeConfiguredSql(
  { database, describeSql }: DescribeConfiguredSqlContext,
  caller: Caller,
  { wanted, signal }: DescribeConfiguredSqlInput,
): Promise<DescribeSql> {
  const results = new Map<string, DescribedSql | ProblemError>();
  for (const [key, statement] of await newStatements(database, caller, wanted)) {
    results.set(key, await describeSql(caller, { ...statement, signal }).catch(rejectionOf));
  }
  return async (_caller, statement) => {
    const result = results.get(keyOf(statement));
    if (result instanceof ProblemError) throw result;
    if (result !== undefined) return result;
    throw new ProblemError('conflict', 'Another request changed a datamap of the file. Apply the file again.');
  };
}
