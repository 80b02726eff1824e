import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type DemoFormat = 'csv' | 'tsv' | 'json' | 'parquet' | 'geojson';

/** One table of the demo: its source file and its publisher's description. */
export interface DemoTable {
  readonly name: string;
  readonly file: string;
  readonly format: DemoFormat;
  /** Column name to Table Schema type (`integer`, `date`, ...); empty where none is declared. */
  readonly declaredTypes: ReadonlyMap<string, string>;
  readonly description: string;
  /** Column name to description, where there is one. */
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
/** The one table whose name in the package describes its storage instead of its content. */
const RENAMED: Readonly<Record<string, string>> = { flights_3m: 'flights' };

/**
 * Reads the description in vega-datasets (`datapackage.json`, a Data Package). Included are resources of type table in a
 * supported format, and GeoJSON with one row per feature. Images, Arrow, TopoJSON and JSON documents that are not of type table
 * (grids, graphs) are excluded.
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
