import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  boolean,
  bytes,
  choice,
  describeSettings,
  duration,
  integer,
  list,
  readSettings,
  type Secret,
  SettingsError,
  type SettingsTable,
  secret,
  secretUrl,
  string,
  url,
} from './index.ts';

const about = { description: 'About it.' };

const table = {
  port: integer('SLUICE_PORT', { ...about, min: 1, max: 65_535, default: '8080' }),
  isOpen: boolean('SLUICE_OPEN', { ...about, default: 'false' }),
  grace: duration('SLUICE_GRACE', { ...about, default: '30s', max: '1h' }),
  memory: bytes('SLUICE_MEMORY', { ...about, default: '64MiB', min: '1MiB' }),
  address: url('SLUICE_ADDRESS', { ...about, optional: true }),
  proxies: list('SLUICE_PROXIES', { ...about, optional: true }),
  mode: choice('SLUICE_MODE', { ...about, values: ['fast', 'safe'], default: 'safe' }),
  tenant: string('SLUICE_TENANT', { ...about, pattern: /^[a-z]+$/, form: 'lower-case letters', default: 'acme' }),
} as const;

const secretTable = { key: secret('SLUICE_KEY', { ...about, charactersMin: 8 }) } as const;

const violationsOf = (settings: SettingsTable, env: Record<string, string>): readonly string[] => {
  try {
    readSettings(settings, env);
  } catch (error) {
    if (error instanceof SettingsError) return error.violations;
    throw error;
  }
  return [];
};

describe('readSettings', () => {
  it('uses defaults for absent settings', () => {
    const { settings, warnings } = readSettings(table, {});
    expect(settings).toEqual({
      port: 8080,
      isOpen: false,
      grace: 30_000,
      memory: 67_108_864,
      address: undefined,
      proxies: undefined,
      mode: 'safe',
      tenant: 'acme',
    });
    expect(warnings).toEqual([]);
  });

  it('parses each setting by its type', () => {
    const { settings } = readSettings(table, {
      SLUICE_PORT: '1',
      SLUICE_OPEN: 'true',
      SLUICE_GRACE: '5m',
      SLUICE_MEMORY: '2GiB',
      SLUICE_ADDRESS: 'https://api.example.com/base/',
      SLUICE_PROXIES: '10.0.0.0/8, loopback',
      SLUICE_MODE: 'fast',
    });
    const mode: 'fast' | 'safe' = settings.mode;
    expect(mode).toBe('fast');
    expect(settings).toMatchObject({
      port: 1,
      isOpen: true,
      grace: 300_000,
      memory: 2_147_483_648,
      address: 'https://api.example.com/base',
      proxies: ['10.0.0.0/8', 'loopback'],
    });
  });

  it('returns frozen settings', () => {
    const { settings } = readSettings(table, { SLUICE_PROXIES: 'a,b' });
    expect(Object.isFrozen(settings)).toBe(true);
    expect(Object.isFrozen(settings.proxies)).toBe(true);
  });

  it('reports all mistakes at once, with the name and the expected form', () => {
    const violations = violationsOf(table, {
      SLUICE_PORT: '80a',
      SLUICE_OPEN: 'yes',
      SLUICE_GRACE: '30',
      SLUICE_MEMORY: '10mb',
      SLUICE_ADDRESS: 'ftp://x',
      SLUICE_PROXIES: 'a,,b',
      SLUICE_MODE: 'quick',
      SLUICE_TENANT: 'Acme',
    });
    expect(violations).toHaveLength(8);
    expect(violations[0]).toBe('SLUICE_PORT must be an integer, 1 to 65535, not "80a"');
    expect(violations[1]).toBe('SLUICE_OPEN must be true or false, not "yes"');
  });

  it.each([
    ['SLUICE_PORT', ['', ' ', '0', '65536', '1.5', '1e3', '0x10', '+1', '١']],
    ['SLUICE_OPEN', ['', '1', 'True', 'on', ' true']],
    ['SLUICE_GRACE', ['', '-1s', '1.5s', '30S', '2h', '30 s', 's', '999999999999999999s', '30sec']],
    ['SLUICE_MEMORY', ['', '10', '10MB', '1KiB', '0', 'MiB', '1e3MiB']],
    ['SLUICE_ADDRESS', ['', 'example.com', 'https://', 'https://ann:pw@example.com', '/x']],
    ['SLUICE_MODE', ['', 'FAST', '__proto__']],
  ])('rejects %s in any other form', (name, texts) => {
    for (const text of texts) expect([text, violationsOf(table, { [name]: text }).length]).toEqual([text, 1]);
  });

  it('reports a missing required setting', () => {
    expect(violationsOf(secretTable, {})).toEqual(['SLUICE_KEY is missing: About it.']);
  });

  it('warns about unknown names with the prefix SLUICE_ and about no others', () => {
    const env = { SLUICE_PROT: '1', SLUICE_PORT_FILE: '/x', PATH: '/bin', SLUICE_OTHER: '1' };
    expect(readSettings(table, env, ['SLUICE_OTHER']).warnings).toEqual([
      'SLUICE_PORT_FILE is set, but no setting has this name.',
      'SLUICE_PROT is set, but no setting has this name.',
    ]);
  });
});

describe('a renamed setting', () => {
  const renamed = {
    interval: duration('NEW_INTERVAL', { ...about, renamedFrom: 'OLD_INTERVAL', default: '15s' }),
    key: secret('SLUICE_NEW_KEY', { ...about, renamedFrom: 'SLUICE_OLD_KEY', optional: true }),
  } as const;

  it('is read under its new name without a warning', () => {
    const { settings, warnings } = readSettings(renamed, { NEW_INTERVAL: '2s' });
    expect([settings.interval, warnings]).toEqual([2000, []]);
  });

  it('is read under its former name with a warning', () => {
    const { settings, warnings } = readSettings(renamed, { OLD_INTERVAL: '3s', SLUICE_OLD_KEY: 'hush' });
    expect([settings.interval, settings.key?.reveal()]).toEqual([3000, 'hush']);
    expect(warnings).toEqual([
      'OLD_INTERVAL was renamed to NEW_INTERVAL; the former name still works.',
      'SLUICE_OLD_KEY was renamed to SLUICE_NEW_KEY; the former name still works.',
    ]);
  });

  it('is rejected under both names, and reports a mistake under the name that was used', () => {
    expect(violationsOf(renamed, { NEW_INTERVAL: '2s', OLD_INTERVAL: '3s' })).toEqual([
      'NEW_INTERVAL and OLD_INTERVAL are both given; remove one',
    ]);
    expect(violationsOf(renamed, { OLD_INTERVAL: 'soon' })[0]).toMatch(/^OLD_INTERVAL must be a duration/);
  });

  it('names its former name in the documentation', () => {
    expect(describeSettings(renamed)[0]?.description).toBe(
      'About it. Formerly `OLD_INTERVAL`, which is still accepted.',
    );
  });
});

describe('a secret', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-config-'));
  const path = join(folder, 'key');
  beforeAll(() => writeFileSync(path, 'from-a-file\n'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is visible only through reveal', () => {
    const { settings } = readSettings(secretTable, { SLUICE_KEY: 'hush-hush' });
    const { key } = settings;
    expect(key.reveal()).toBe('hush-hush');
    expect(JSON.stringify({ key })).toBe('{"key":"[secret]"}');
    expect(`${key}`).toBe('[secret]');
    expect(inspect(settings, { depth: 9, showHidden: true })).not.toContain('hush');
    expect(Object.values(key)).toEqual([]);
  });

  it('is read from the file in <NAME>_FILE, without the last newline', () => {
    const { settings, warnings } = readSettings(secretTable, { SLUICE_KEY_FILE: path });
    expect(settings.key.reveal()).toBe('from-a-file');
    expect(warnings).toEqual([]);
  });

  it('is rejected if it is set twice or its file cannot be read', () => {
    expect(violationsOf(secretTable, { SLUICE_KEY: 'hush-hush', SLUICE_KEY_FILE: path })).toEqual([
      'SLUICE_KEY and SLUICE_KEY_FILE are both given; remove one',
    ]);
    expect(violationsOf(secretTable, { SLUICE_KEY_FILE: `${path}-absent` })[0]).toContain('ENOENT');
  });

  it('is never part of a mistake', () => {
    expect(violationsOf(secretTable, { SLUICE_KEY: 'short' }).join()).not.toContain('short');
    expect(violationsOf(table, { SLUICE_ADDRESS: 'https://ann:hush@example.com' })).toEqual([
      'SLUICE_ADDRESS must be a URL without user name and password, not "https://[secret]@example.com"',
    ]);
    const database = { url: secretUrl('SLUICE_DATABASE', { ...about, protocols: ['postgres:'] }) };
    expect(violationsOf(database, { SLUICE_DATABASE: 'mysql://ann:hush@db/x' })).toEqual([
      'SLUICE_DATABASE must be a URL that begins with postgres://',
    ]);
    const { settings } = readSettings(database, { SLUICE_DATABASE: 'postgres://ann:hush@db/x' });
    const held: Secret = settings.url;
    expect(held.reveal()).toBe('postgres://ann:hush@db/x');
  });
});

describe('describeSettings', () => {
  it('gives what the docs show of each setting', () => {
    const threads = integer('THREADS', {
      ...about,
      min: 1,
      max: 64,
      default: '4',
      defaultMeaning: 'processors, at most 4',
    });
    expect(describeSettings({ port: table.port, address: table.address, ...secretTable, threads })).toEqual([
      { name: 'SLUICE_PORT', form: 'integer, 1 to 65535', default: '8080', description: 'About it.' },
      { name: 'SLUICE_ADDRESS', form: 'URL (http://, https://)', default: 'none', description: 'About it.' },
      { name: 'SLUICE_KEY or SLUICE_KEY_FILE', form: 'secret', default: 'required', description: 'About it.' },
      { name: 'THREADS', form: 'integer, 1 to 64', default: 'processors, at most 4', description: 'About it.' },
    ]);
  });
});
