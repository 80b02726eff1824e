import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A Parquet file as read by pyarrow. */
interface ReadParquet {
  readonly rows: number;
  /** Name, Arrow type, and Python's `repr` of each value. */
  readonly columns: readonly { readonly name: string; readonly type: string; readonly values: readonly string[] }[];
}

const run = promisify(execFile);
const PYARROW = 'pyarrow==26.0.1';
/** Virtual environment that is kept between runs, like the other components that tests install. */
const PYTHON_HOME = join(homedir(), '.cache', 'sluice-components', 'python');
const PYTHON = join(PYTHON_HOME, 'bin', 'python');

/** Installs pyarrow if it is missing. */
export async function installPyarrow(): Promise<void> {
  const isInstalled = await run(PYTHON, ['-c', 'import pyarrow']).then(
    () => true,
    () => false,
  );
  if (isInstalled) return;
  await run('python3', ['-m', 'venv', PYTHON_HOME]);
  await run(PYTHON, ['-m', 'pip', 'install', '--quiet', PYARROW]);
}

const SCRIPT = `
import json, sys, pyarrow.parquet as parquet
table = parquet.read_table(sys.argv[1])
columns = [{"name": n, "type": str(c.type), "values": [repr(v) for v in c.slice(0, 10).to_pylist()]}
           for n, c in zip(table.column_names, table.columns)]
json.dump({"rows": table.num_rows, "columns": columns}, sys.stdout)
`;

/** Reads all pages of a file and returns its first ten rows. Rejects for an incomplete file. */
export async function readByPyarrow(file: Buffer): Promise<ReadParquet> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-parquet-'));
  try {
    const path = join(folder, 'file.parquet');
    await writeFile(path, file);
    return JSON.parse((await run(PYTHON, ['-c', SCRIPT, path])).stdout) as ReadParquet;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
