import { type Column, type Configuration, ProblemError } from '@sluice/contract';
import type { AdministrationStore } from '@sluice/store/administration';
import { datamapActor } from '../datamaps/datamap-access.ts';
import { contentOf } from '../datamaps/datamap-content.ts';
import type { DescribeSql, DescribeSqlInput, DescribingCaller } from '../datamaps/describe-sql.ts';
import { isRefusal } from './configuration-mistakes.ts';
import { findConfiguredDatamaps, isAmbiguous } from './find-configured-datamaps.ts';

export interface DescribeConfiguredSqlDependencies {
  readonly administration: Pick<AdministrationStore, 'read'>;
  readonly describeSql: DescribeSql;
}

const newSqlOf = (
  administration: Pick<AdministrationStore, 'read'>,
  { principal }: DescribingCaller,
  wanted: Configuration,
): Promise<ReadonlyMap<string, DescribeSqlInput>> =>
  administration.read(principal.tenant.id, async ({ content }) => {
    const find = await findConfiguredDatamaps(content.datamaps, datamapActor(principal), wanted);
    const statements = new Map<string, DescribeSqlInput>();
    for (const { id, name, sql } of wanted.datamaps ?? []) {
      if (typeof sql !== 'string') continue;
      const found = id === undefined ? await find.byName(name) : await find.byId(id);
      if (isAmbiguous(found) || (found !== undefined && contentOf(found).sql === sql)) continue;
      if (!statements.has(sql)) statements.set(sql, { sql, target: name, datamapId: found?.record.id });
    }
    return statements;
  });

const refusalOf = (thrown: unknown): ProblemError => {
  if (!isRefusal(thrown) || thrown.code === 'access_denied') throw thrown;
  return new ProblemError('invalid_request', thrown.message, {
    details: [{ path: 'body.sql', message: thrown.message }],
    cause: thrown,
  });
};

/**
 * Has the engine describe every statement of a file that its datamap does not have yet, before any transaction is open: an engine may
 * take its time. What it refuses is thrown when the datamap is changed. Throws what the engine throws when it cannot be asked.
 */
export function createDescribeConfiguredSql({ administration, describeSql }: DescribeConfiguredSqlDependencies) {
  return async (caller: DescribingCaller, wanted: Configuration): Promise<DescribeSql> => {
    const answers = new Map<string, readonly Column[] | ProblemError>();
    for (const [sql, input] of await newSqlOf(administration, caller, wanted)) {
      answers.set(sql, await describeSql(caller, input).catch(refusalOf));
    }
    return async (_caller, { sql }) => {
      const answer = answers.get(sql);
      if (answer instanceof ProblemError) throw answer;
      if (answer !== undefined) return answer;
      throw new ProblemError('conflict', 'Somebody changed a datamap of the file at this moment. Apply it again.');
    };
  };
}
