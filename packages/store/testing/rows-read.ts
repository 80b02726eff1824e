import type { Database } from '@sluice/store/database';

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows of tables that a plan read, whether it used them or not. */
const rowsOf = (node: PlanNode): number => {
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const isScan = node['Relation Name'] !== undefined;
  return (isScan ? own : 0) + (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0);
};

/** Runs a statement as a host does, under row-level security, and returns the number of rows that it read. Its first value is the tenant. */
export async function rowsRead(
  database: Database,
  { text }: { readonly text: string },
  values: readonly [tenantId: string, ...unknown[]],
): Promise<number> {
  const statement = { name: '', text: `explain (analyze, format json) ${text}` };
  const rows = await database.run<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    { tenantId: values[0], plan: 'in-order' },
    statement,
    values,
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (plan === undefined) throw new Error('the statement has no plan');
  return rowsOf(plan);
}
