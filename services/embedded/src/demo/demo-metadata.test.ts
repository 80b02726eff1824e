import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { metadataImportBody } from '@sluice/contract';
import { DEMO_DOMAINS, type DemoDomain, domainOfTable } from './demo-domains.ts';
import { metadataOf } from './demo-metadata.ts';
import { readDemoPackage } from './demo-table.ts';

const { tables } = await readDemoPackage();
const domainIds = new Map(Object.keys(DEMO_DOMAINS).map((name) => [name as DemoDomain, randomUUID()]));
const objects = tables.map((table) => metadataOf(table, domainIds));

describe('the metadata of the demo', () => {
  it('is an import that breaks no rule, with a description, tags and a domain of every table', () => {
    for (const object of objects) {
      expect(metadataImportBody.safeParse({ metadata_objects: [object] }).error?.issues ?? []).toEqual([]);
      expect(object).toMatchObject({ type: 'TABLE', add_domains: [expect.any(String)] });
      expect(object.description).not.toBe('');
      expect(object.add_tags?.length).toBeGreaterThanOrEqual(2);
    }
    expect(new Set(objects.map(({ id }) => id)).size).toBe(tables.length);
  });

  it('has what the publisher says of columns, each of which is a column of the table', () => {
    const described = objects.flatMap(({ fields = [] }) => fields);
    expect(described.length).toBeGreaterThan(50);
    expect(objects.find(({ id }) => id === 'demo.vega.flights')?.description).toMatch(/flight/i);
  });

  it('names no table twice among the domains', () => {
    const names = Object.values(DEMO_DOMAINS).flatMap(({ tables: listed }) => listed.split(' '));
    expect(new Set(names).size).toBe(names.length);
    expect(tables.filter(({ name }) => domainOfTable(name) === undefined)).toEqual([]);
  });
});
