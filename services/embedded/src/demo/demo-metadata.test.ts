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
  it('is a valid import with a description, tags and a domain for every table', () => {
    for (const object of objects) {
      expect(metadataImportBody.safeParse({ metadata_objects: [object] }).error?.issues ?? []).toEqual([]);
      expect(object).toMatchObject({ type: 'TABLE', add_domains: [expect.any(String)] });
      expect(object.description).not.toBe('');
      expect(object.add_tags?.length).toBeGreaterThanOrEqual(2);
    }
    expect(new Set(objects.map(({ id }) => id)).size).toBe(tables.length);
  });

  it("includes the publisher's descriptions of columns", () => {
    const described = objects.flatMap(({ fields = [] }) => fields);
    expect(described.length).toBeGreaterThan(50);
    expect(objects.find(({ id }) => id === 'demo.vega.flights')?.description).toMatch(/flight/i);
  });

  it('assigns every table to exactly one domain', () => {
    const names = Object.values(DEMO_DOMAINS).flatMap(({ tables: listed }) => listed.split(' '));
    expect(new Set(names).size).toBe(names.length);
    expect(tables.filter(({ name }) => domainOfTable(name) === undefined)).toEqual([]);
  });
});
