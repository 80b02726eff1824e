import { join } from 'node:path';
import { makeDuckDbFile } from '@sluice/engine/testing';

const STATEMENTS = `
  CREATE TABLE items (id BIGINT, name VARCHAR, price DECIMAL(10,2));
  INSERT INTO items VALUES (1, 'nut', 0.10), (2, 'bolt, long', 250.00), (9223372036854775807, NULL, NULL);
  CREATE TABLE nothing (id BIGINT, name VARCHAR);
  CREATE TABLE numbers AS SELECT range AS n FROM range(100000);
  CHECKPOINT`;

/** Creates a small DuckDB database file in `folder` and returns its path. */
export async function createShopDatabase(folder: string, name = 'shop'): Promise<string> {
  const path = join(folder, `${name}.duckdb`);
  await makeDuckDbFile(path, STATEMENTS);
  return path;
}
