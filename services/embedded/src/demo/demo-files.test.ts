import { describe, expect, it } from '@jest/globals';
import { apiOperations, type Configuration, DEFAULT_ROLES } from '@sluice/contract';
import { parse } from 'yaml';
import { DEMO_DOMAINS } from './demo-domains.ts';
import { adminOf, DEMO_TENANTS, readDemoFile } from './demo-files.ts';

const files = await Promise.all(
  DEMO_TENANTS.map(async (tenant) => ({ tenant, file: parse(await readDemoFile(tenant)) as Configuration })),
);
const { file: acme } = files[0] ?? { file: {} as Configuration };

describe.each(files)('the file of $tenant', ({ tenant, file }) => {
  it('is valid for POST /admin/apply', () => {
    expect(apiOperations.applyConfiguration.body.schema.safeParse(file).error?.issues ?? []).toEqual([]);
  });

  it('keeps the role admin of its admin', () => {
    expect(file.users).toContainEqual({ email: adminOf(tenant), roles: ['admin'] });
  });

  it('has exactly the domains of the demo tables', () => {
    expect(file.domains?.map(({ name }) => name).sort()).toEqual(Object.keys(DEMO_DOMAINS).sort());
  });
});

describe('the files of the demo', () => {
  it('define the default roles of every tenant without changes', () => {
    const { admin: _admin, ...others } = DEFAULT_ROLES;
    expect(Object.fromEntries((acme.roles ?? []).map(({ name, permissions }) => [name, permissions]))).toEqual(others);
  });

  it('assign a domain to every datamap of acme', () => {
    const placed = Object.values(DEMO_DOMAINS).flatMap(({ datamaps }) => (datamaps === '' ? [] : datamaps.split(' ')));
    expect(placed.sort()).toEqual((acme.datamaps ?? []).map(({ name }) => name).sort());
  });
});
