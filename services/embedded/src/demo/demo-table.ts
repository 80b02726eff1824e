import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type DemoFormat = 'csv' | 'tsv' | 'json' | 'parquet' | 'geojson';

/** One table of the demo: where it comes from, and what its publisher says about its columns. */
export interface DemoTable {
  readonly name: string;
  readonly file: string;
  readonly format: DemoFormat;
  /** Column to type, in the words of Table Schema (`integer`, `date`, ...); empty where nothing is said. */
  readonly declaredTypes: ReadonlyMap<string, string>;
  readonly description: string;
  /** Column to what is said of it, where something is. */
  readonly columnDescriptions: ReadonlyMap<string, string>;
}

export interface DemoPackage {
  readonly version: string;
  readonly tables: readonly DemoTable[];
}

interface Resource {
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly format: string;
  readonly description?: string;
  readonly schema?: { readonly fields?: readonly ResourceField[] };
}

interface ResourceField {
  readonly name: string;
  readonly type: string;
  readonly description?: string;
}

const TABLE_FORMATS: ReadonlySet<string> = new Set<DemoFormat>(['csv', 'tsv', 'json', 'parquet']);
/** The one table whose name says how it is stored more than what it holds. */
const RENAMED: Readonly<Record<string, string>> = { flights_3m: 'flights' };

/**
 * Reads the description that vega-datasets brings (`datapackage.json`, a Data Package). In by rule: what it calls a table in
 * a format that we read, and GeoJSON, a feature a row. So images, Arrow, topojson, and the JSON documents that it does not
 * call tables (grids, graphs) are out.
 */
export async function readDemoPackage(): Promise<DemoPackage> {
  const folder = packageFolder();
  const description = JSON.parse(await readFile(join(folder, 'datapackage.json'), 'utf8')) as { resources: Resource[] };
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { version: manifest.version, tables: description.resources.flatMap((resource) => asTable(resource, folder)) };
}

const packageFolder = (): string => dirname(dirname(createRequire(import.meta.url).resolve('vega-datasets')));

const asTable = (resource: Resource, folder: string): DemoTable[] => {
  const format = resource.format;
  const isTable = resource.type === 'table' && TABLE_FORMATS.has(format);
  if (!isTable && format !== 'geojson') return [];
  return [
    {
      name: RENAMED[resource.name] ?? resource.name,
      file: join(folder, 'data', resource.path),
      format: format as DemoFormat,
      declaredTypes: new Map(resource.schema?.fields?.map((field) => [field.name, field.type])),
      description: resource.description?.trim() ?? '',
      columnDescriptions: new Map(
        resource.schema?.fields?.flatMap(({ name, description = '' }) =>
          description.trim() === '' ? [] : [[name, description.trim()] as const],
        ),
      ),
    },
  ];
};
