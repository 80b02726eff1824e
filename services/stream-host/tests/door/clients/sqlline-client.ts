import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JavaTools, SHORT_JVM } from './cli-client.ts';
import { type ClientCheck, checkOf, runProgram } from './client-check.ts';
import type { ClientTarget } from './client-target.ts';

const commandsOf = ({ catalog, schema }: ClientTarget): Readonly<Record<string, readonly string[]>> => ({
  tables: ['!tables'],
  'columns of a table': ['!columns nation'],
  types: ['!typeinfo'],
  'primary keys': ['!primarykeys nation'],
  indexes: ['!indexes nation'],
  'a query': ['SELECT n_nationkey, n_name, n_comment FROM nation WHERE n_nationkey < 3 ORDER BY 1;'],
  'a transaction': ['!autocommit off', 'SELECT count(*) FROM nation;', '!commit', '!autocommit on', 'SELECT 1;'],
  'a changed schema': [
    `USE ${catalog}.information_schema;`,
    `SELECT count(*) FROM tables WHERE table_schema = '${schema}';`,
  ],
  'an error': ['SELECT * FROM no_such_table;', 'SELECT 1;'],
  'a long result': ['SELECT sum(n), count(*) FROM (SELECT n FROM numbers) t;'],
});

function connectCommand(target: ClientTarget): string {
  const options = [
    ...(target.url.startsWith('https:') ? ['SSL=true'] : []),
    ...(target.authority === undefined ? [] : [`SSLTrustStorePath=${encodeURIComponent(target.authority)}`]),
  ];
  const { host } = new URL(target.url);
  const address = `jdbc:trino://${host}/${target.catalog}/${target.schema}${options.length === 0 ? '' : `?${options.join('&')}`}`;
  return `!connect "${address}" "${target.user}" "${target.password ?? ''}" io.trino.jdbc.TrinoDriver`;
}

/** Rows of a result in the form of CSV. What sqlline says of times and statements is left out. */
const linesOf = (stdout: string): readonly string[] => stdout.split('\n').filter((line) => line.startsWith("'"));

/** Runs the command line of JDBC, each check in a process of its own. */
export async function runSqlline(target: ClientTarget, tools: JavaTools): Promise<readonly ClientCheck[]> {
  const classpath = [tools.jar('sqlline'), tools.jar('jdbc-476')].join(':');
  const command = [tools.java, ...SHORT_JVM, '-cp', classpath, 'sqlline.SqlLine'];
  const options = [
    '--color=false',
    '--outputformat=csv',
    '--maxWidth=10000',
    '--isolation=TRANSACTION_READ_UNCOMMITTED',
    '--force=true',
  ];
  const checks: ClientCheck[] = [];
  for (const [name, lines] of Object.entries(commandsOf(target))) {
    const script = join(tools.scratch, 'sqlline.sql');
    await writeFile(script, [connectCommand(target), ...lines, '!quit', ''].join('\n'));
    const work = async (): Promise<unknown> => {
      const environment = { ...tools.environment, HOME: tools.scratch };
      const { stdout, stderr } = await runProgram([...command, ...options, `--run=${script}`], environment);
      const found = linesOf(stdout);
      if (found.length === 0 && !/^Error:/m.test(stderr)) throw new Error(`No rows: ${stdout}${stderr}`.slice(0, 500));
      return { lines: found, hasError: /^Error:/m.test(stdout + stderr) };
    };
    checks.push(await checkOf(name, work));
  }
  return checks;
}
