import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { DuckDbProfile } from '../../src/duckdb/profile.ts';
import { SHOP_TABLES } from './shop-tables.ts';

/** A tenant with a catalog of tables, and a folder of files: one is behind a view, the other private. */
export interface Shop extends AsyncDisposable {
  /** No part of this may ever be returned. */
  readonly folder: string;
  readonly secretFile: string;
  readonly profile: DuckDbProfile;
}

export async function createShop(): Promise<Shop> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-shop-'));
  const files = join(folder, 'a rather long name for a folder of files', 'and another one in it');
  await mkdir(files, { recursive: true });
  await writeFile(join(files, 'sales.csv'), 'id,amount\n1,2.50\n2,3.75\n');
  await writeFile(join(files, 'broken.csv'), 'id,amount\n1,2.50\n2,none\n');
  const secretFile = join(files, 'secret.csv');
  await writeFile(secretFile, 'combination\nXYZZY\n');
  const path = join(folder, 'catalog.duckdb');
  await fill(path, files);
  return {
    folder,
    secretFile,
    profile: {
      catalogs: [{ name: 'demo', path }],
      defaultCatalog: 'demo',
      defaultSchema: 'shop',
      readableFolders: [join(folder, 'a rather long name for a folder of files')],
      memoryBytesMax: 512 * 1024 * 1024,
      threads: 2,
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function fill(path: string, files: string): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const statement of SHOP_TABLES) await connection.run(statement);
  const columns = `columns = {'id': 'INTEGER', 'amount': 'DECIMAL(10,2)'}`;
  for (const name of ['sales', 'broken']) {
    await connection.run(
      `CREATE VIEW shop.${name} AS FROM read_csv('${join(files, name)}.csv', ${columns}, header = true)`,
    );
  }
  await writeFile(join(files, "pipe's [1].csv"), 'id\n1\n');
  const piped = `${files}/pipe''s [[]1].csv`;
  await connection.run(`CREATE VIEW shop.piped AS FROM read_csv('${piped}')`);
  await rm(join(files, "pipe's [1].csv"));
  connection.closeSync();
  instance.closeSync();
}
