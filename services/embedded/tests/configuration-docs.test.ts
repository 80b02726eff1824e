import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { apiHostSettings, migrateSettings } from '@sluice/api-host';
import { describeSettings, type SettingsTable } from '@sluice/config';
import { streamHostSettings } from '@sluice/stream-host';
import { parseMarkdownTables } from '@sluice/testkit';
import { embeddedSettings } from '../src/config.ts';

const page = await readFile(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');

const rowsOf = (table: SettingsTable) =>
  describeSettings(table).map((setting) => ({
    Name: setting.name,
    Form: setting.form,
    Default: setting.default,
    Meaning: setting.description,
  }));

describe('docs/configuration.md', () => {
  it('lists exactly the settings of both hosts, the migrate command and the embedded run', () => {
    const [, api, stream, migrate, embedded, ...others] = parseMarkdownTables(page);
    expect(api).toEqual(rowsOf(apiHostSettings));
    expect(stream).toEqual(rowsOf(streamHostSettings));
    expect(migrate).toEqual(rowsOf(migrateSettings));
    expect(embedded).toEqual(rowsOf(embeddedSettings));
    expect(others).toEqual([]);
  });

  it('starts with ten settings of the hosts, as the tables of the hosts describe them', () => {
    const [essential = []] = parseMarkdownTables(page);
    expect(page.indexOf('everybody sets')).toBeLessThan(page.indexOf('## API host'));
    const tables = { API: rowsOf(apiHostSettings), stream: rowsOf(streamHostSettings) };
    const hostOf = (name: string): string => {
      const hosts = Object.entries(tables).filter(([, rows]) => rows.some(({ Name }) => Name === name));
      return hosts.length === 2 ? 'both' : String(hosts[0]?.[0]);
    };
    const described = new Map([...tables.stream, ...tables.API].map((row) => [row.Name, row]));
    expect(essential).toHaveLength(10);
    for (const { Name = '', ...row } of essential) {
      const { Default, Meaning } = described.get(Name) ?? {};
      expect([Name, row]).toEqual([Name, { Host: hostOf(Name), Default, Meaning }]);
    }
  });

  it('contains no path of a particular machine', () => {
    expect(page).not.toMatch(/\/home\/|\/root\/|\/tmp\//);
  });
});
