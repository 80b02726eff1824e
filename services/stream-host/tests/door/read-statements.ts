import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A statement of `metadata-statements.sql` with its notes. */
interface MetadataStatement {
  readonly client: string;
  readonly catalog: string | undefined;
  readonly schema: string | undefined;
  readonly sql: string;
  readonly rows: readonly unknown[] | undefined;
  readonly rowCount: number | undefined;
  readonly columns: readonly string[] | undefined;
  readonly fails: string | undefined;
}

const PATH = fileURLToPath(new URL('metadata-statements.sql', import.meta.url));
const NOTE = /^-- (client|session|gives|columns|fails): (.*)$/;

/** Reads the statements. Each block between empty lines is one; the first block explains them. */
export function metadataStatements(): readonly MetadataStatement[] {
  const [, ...blocks] = readFileSync(PATH, 'utf8').trim().split(/\n\n+/);
  return blocks.map((block) => {
    const lines = block.split('\n');
    const notes = new Map(
      lines.flatMap((line) => {
        const [, name = '', value = ''] = NOTE.exec(line) ?? [];
        return name === '' ? [] : [[name, value] as const];
      }),
    );
    const [catalog, schema] = notes.get('session')?.split('.') ?? [];
    const gives = notes.get('gives');
    const count = gives?.startsWith('rows ') === true ? Number(gives.slice(5)) : undefined;
    const columns = notes.get('columns');
    return {
      client: notes.get('client') ?? '',
      catalog,
      schema,
      sql: lines.filter((line) => !NOTE.test(line)).join('\n'),
      rows: gives === undefined || count !== undefined ? undefined : (JSON.parse(gives) as unknown[]),
      rowCount: count,
      columns: columns === undefined ? undefined : (JSON.parse(columns) as string[]),
      fails: notes.get('fails'),
    };
  });
}
