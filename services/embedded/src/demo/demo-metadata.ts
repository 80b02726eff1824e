import type { MetadataObject } from '@sluice/contract';
import { type DemoDomain, domainOfTable } from './demo-domains.ts';
import type { DemoTable } from './demo-table.ts';

const TIMES = new Set(['date', 'datetime', 'time', 'year', 'yearmonth']);
const COORDINATES = /^(lat|lon|latitude|longitude)$/i;

/** Derives tags from the format of a table and the declared types and names of its columns. */
const tagsOf = ({ format, declaredTypes }: DemoTable): string[] => {
  const columns = [...declaredTypes.keys()];
  return [
    'vega-datasets',
    `format:${format}`,
    ...([...declaredTypes.values()].some((type) => TIMES.has(type)) ? ['time series'] : []),
    ...(format === 'geojson' || columns.some((name) => COORDINATES.test(name)) ? ['geographic'] : []),
  ];
};

const fieldsOf = ({ columnDescriptions, declaredTypes }: DemoTable): NonNullable<MetadataObject['fields']> =>
  [...columnDescriptions].map(([name, description]) => ({
    name,
    description,
    ...(TIMES.has(declaredTypes.get(name) ?? '') ? { add_tags: ['time'] } : {}),
  }));

/** Returns the publisher's description of a table as an object for `POST /metadata/import`. */
export function metadataOf(table: DemoTable, domainIds: ReadonlyMap<DemoDomain, string>): MetadataObject {
  const domain = domainOfTable(table.name);
  const domainId = domain && domainIds.get(domain);
  const fields = fieldsOf(table);
  return {
    type: 'TABLE',
    id: `demo.vega.${table.name}`,
    description: table.description,
    add_tags: tagsOf(table),
    ...(domainId === undefined ? {} : { add_domains: [domainId] }),
    ...(fields.length === 0 ? {} : { fields }),
  };
}
