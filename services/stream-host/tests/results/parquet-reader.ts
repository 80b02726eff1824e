import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PythonProgram, pythonPackage } from '@sluice/testkit';

/** A Parquet file as read by pyarrow. */
interface ReadParquet {
  readonly rows: number;
  /** Name, Arrow type, and Python's `repr` of each value. */
  readonly columns: readonly { readonly name: string; readonly type: string; readonly values: readonly string[] }[];
}

const { python, install } = pythonPackage('pyarrow==26.0.1');

/** Reads files with pyarrow. The test file that uses it disposes of it. */
export const pyarrow = new PythonProgram(
  python,
  `
import pyarrow.parquet as parquet
def handle(path):
    table = parquet.read_table(path)
    columns = [{"name": n, "type": str(c.type), "values": [repr(v) for v in c.slice(0, 10).to_pylist()]}
               for n, c in zip(table.column_names, table.columns)]
    return {"rows": table.num_rows, "columns": columns}
`,
);

/** Installs pyarrow if it is missing. */
export async function installPyarrow(): Promise<void> {
  const isInstalled = await pyarrow.start().then(
    () => true,
    () => false,
  );
  if (!isInstalled) await install();
}

/** Reads all pages of a file and returns its first ten rows. Rejects for an incomplete file. */
export async function readByPyarrow(file: Buffer): Promise<ReadParquet> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-parquet-'));
  try {
    const path = join(folder, 'file.parquet');
    await writeFile(path, file);
    return (await pyarrow.call(path)) as ReadParquet;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
