import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { apiHostSettings, migrateSettings, runMigration, startApiHost } from '@sluice/api-host';
import { readSettings, SettingsError, type SettingsTable } from '@sluice/config';
import { startStreamHost, streamHostSettings } from '@sluice/stream-host';
import { parse } from 'yaml';

interface TestedVersions {
  readonly POSTGRES_PACKAGES: Readonly<Record<string, string>>;
  readonly REDIS_VERSION: string;
  readonly TRINO_VERSION: string;
  readonly IMAGE_NODE_VERSION: string;
}

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
  readonly build?: { readonly dockerfile: string; readonly target: string };
  readonly read_only?: boolean;
}

const root = new URL('../../../', import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8');
const versions = (await import(new URL('deploy/components/versions.mjs', root).href)) as TestedVersions;
const text = await read('docker-compose.yml');
const operations = await read('docs/operations.md');
const dockerfile = await read('deploy/docker/Dockerfile');
const { services } = parse(text, { merge: true }) as { readonly services: Readonly<Record<string, Service>> };

interface ContainerProcess {
  /** Image, and target of the Dockerfile. */
  readonly image: 'api-host' | 'stream-host';
  readonly main: string;
  readonly settings: SettingsTable;
}

const PROCESSES: Readonly<Record<string, ContainerProcess>> = {
  migrate: { image: 'api-host', main: 'dist/commands/migrate-main.js', settings: migrateSettings },
  'api-host': { image: 'api-host', main: 'dist/main.js', settings: apiHostSettings },
  'stream-host': { image: 'stream-host', main: 'dist/main.js', settings: streamHostSettings },
};
/** Images of registries that the Dockerfile starts from; other stages start from these. */
const bases = [...dockerfile.matchAll(/^FROM (\S+:\S+)\$\{NODE_DIGEST\} AS/gm)].map(([, image = '']) => image);
/** `${NAME:-default}`, which Compose replaces by the environment's NAME or the default. */
const VARIABLE = /\$\{([A-Z_]+):-([^}]*)\}/g;
const SECRET_NAME = /PASSWORD|SECRET|KEY|TOKEN/;

const substituted = (value: string, given: Readonly<Record<string, string>> = {}): string =>
  value.replaceAll(VARIABLE, (_all, name: string, fallback: string) => given[name] ?? fallback);
const variables = [...text.matchAll(VARIABLE)].map(([, name = '', fallback = '']) => ({ name, fallback }));
const environments = Object.entries(services).flatMap(([service, { environment = {} }]) =>
  Object.entries(environment).map(([name, value]) => ({ service, name, value })),
);

describe('docker-compose.yml', () => {
  it('uses the versions that the tests use', () => {
    const postgres = Object.values(versions.POSTGRES_PACKAGES).at(-1) ?? '';
    expect(services['postgres']?.image).toBe(`postgres:${/^\d+\.\d+/.exec(postgres)?.[0]}-bookworm`);
    expect(services['redis']?.image).toBe(`redis:${versions.REDIS_VERSION}-bookworm`);
    expect(services['trino']?.image).toBe(`trinodb/trino:${versions.TRINO_VERSION}`);
  });

  it('pins every image by an exact tag, the Sluice images by the version of the repository', async () => {
    const { version } = JSON.parse(await read('package.json')) as { readonly version: string };
    for (const [name, { image }] of Object.entries(PROCESSES)) {
      expect(services[name]?.image).toBe(`sluice/${image}:${version}`);
      expect(services[name]?.build).toMatchObject({ dockerfile: 'deploy/docker/Dockerfile', target: image });
      expect(dockerfile).toMatch(new RegExp(`^FROM base AS ${image}$`, 'm'));
    }
    const images = Object.values(services).map(({ image }) => image);
    for (const image of [...images, ...bases]) expect(image).toMatch(/^[a-z/-]+:(\d+\.\d+(\.\d+)?|\d{3,})(-[a-z]+)*$/);
  });

  it('builds the Sluice image with a pinned Node and the package manager of the repository', async () => {
    const { engines, packageManager } = JSON.parse(await read('package.json')) as {
      readonly engines: { readonly node: string };
      readonly packageManager: string;
    };
    const stages = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
    expect(bases).toHaveLength(stages.filter((image) => image !== 'base').length);
    expect(new Set(bases)).toEqual(new Set([`node:${versions.IMAGE_NODE_VERSION}-bookworm-slim`]));
    expect(Number.parseInt(versions.IMAGE_NODE_VERSION, 10)).toBeGreaterThanOrEqual(
      Number(/\d+/.exec(engines.node)?.[0]),
    );
    expect(dockerfile).toContain('RUN node deploy/local/prepare.mjs');
    const steps = await read('deploy/local/install-and-build.mjs');
    expect(steps).toContain(`'${packageManager}'`);
    expect(steps).toContain("'install', '--frozen-lockfile'");
  });

  it('runs the hosts on a read-only file system with a temporary folder, as Kubernetes does', () => {
    for (const name of Object.keys(PROCESSES)) {
      expect(services[name]).toMatchObject({ read_only: true, volumes: ['/tmp'] });
    }
  });

  it('installs no library that only the bench and tests use', async () => {
    const { importers } = parse(await read('pnpm-lock.yaml')) as {
      readonly importers: Readonly<Record<string, { readonly dependencies?: object }>>;
    };
    const installed = Object.values(importers).flatMap(({ dependencies = {} }) => Object.keys(dependencies));
    expect(installed).toContain('express');
    for (const library of ['exceljs', 'trino-client', 'fast-check', 'jest']) expect(installed).not.toContain(library);
  });

  it.each(Object.entries(PROCESSES))('passes only known and valid settings to %s', (name, { main, settings }) => {
    const environment = services[name]?.environment ?? {};
    const known = Object.values(settings).map((setting) => setting.name);
    expect(Object.keys(environment).filter((given) => !known.includes(given))).toEqual([]);
    expect(services[name]?.command).toEqual(['node', main]);
    const given = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, substituted(value)]));
    expect(readSettings(settings, given).warnings).toEqual([]);
  });

  it('sets an environment of other services only for PostgreSQL and the health check of Redis', async () => {
    const others = environments.filter(({ service }) => !(service in PROCESSES));
    expect(others.map(({ service, name }) => [service, name])).toEqual([
      ['postgres', 'POSTGRES_PASSWORD'],
      ['postgres', 'SLUICE_OWNER_PASSWORD'],
      ['redis', 'REDISCLI_AUTH'],
    ]);
    expect(await read('deploy/docker/postgres/create-owner.sh')).toContain('$SLUICE_OWNER_PASSWORD');
  });

  it('has every secret as a documented variable whose default says that it is for development', () => {
    for (const { name, value } of environments) {
      const password = URL.canParse(substituted(value)) ? /:\/\/[^:/@]+:([^@]*)@/.exec(value)?.[1] : undefined;
      const secret = SECRET_NAME.test(name) ? value : password;
      if (secret !== undefined) expect([name, secret]).toEqual([name, expect.stringMatching(/^\$\{[A-Z_]+:-[^}]+\}$/)]);
    }
    for (const { name, fallback } of variables) {
      if (name === 'SLUICE_ADDRESS' || name === 'TRINO_DOOR') continue;
      expect([name, `${fallback} ${Buffer.from(fallback, 'base64')}`]).toEqual([
        name,
        expect.stringContaining('development'),
      ]);
      expect(operations).toContain(`\`${name}\``);
    }
  });

  it('publishes ports on the loopback only and uses the same default password everywhere', () => {
    const ports = Object.values(services).flatMap(({ ports: given = [] }) => given);
    expect(ports.map((port) => substituted(port))).toEqual(['127.0.0.1:8080:8080', '127.0.0.1:8081:8081']);
    const defaults = new Map<string, Set<string>>();
    for (const { name, fallback } of variables) defaults.set(name, (defaults.get(name) ?? new Set()).add(fallback));
    expect([...defaults.values()].every((values) => values.size === 1)).toBe(true);
  });

  it('rejects the development secrets when SLUICE_ADDRESS is not the loopback', async () => {
    const atPublicAddress = (value: string): string => substituted(value, { SLUICE_ADDRESS: '192.0.2.1' });
    for (const [name, start] of [
      ['migrate', ({ environment }: { readonly environment: Record<string, string> }) => runMigration(environment)],
      ['api-host', startApiHost],
      ['stream-host', startStreamHost],
    ] as const) {
      const { environment = {}, ports = [] } = services[name] ?? {};
      expect(ports.map((port) => atPublicAddress(port).startsWith('192.0.2.1:'))).toEqual(ports.map(() => true));
      const published = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, atPublicAddress(value)]),
      );
      const secrets = Object.keys(environment).filter((key) => /:-(development|c2x1aWNl)/.test(environment[key] ?? ''));
      expect(secrets.filter((key) => key.endsWith('DATABASE_URL') || key === 'DATABASE_OWNER_URL')).not.toEqual([]);
      const refusal: unknown = await start({ environment: published }).catch((thrown: unknown) => thrown);
      const violations = secrets.map(
        (key) => `${key} is a published development secret, but other machines can reach Sluice at 192.0.2.1`,
      );
      expect(refusal instanceof SettingsError && new Set(refusal.violations)).toEqual(new Set(violations));
      if (name === 'migrate') continue;
      const { PUBLISHED_ADDRESS: _, ...unpublished } = published;
      await expect(start({ environment: unpublished })).rejects.toThrow('machines can reach Sluice at 0.0.0.0');
    }
  });

  it('starts the hosts after the migration has succeeded and their dependencies are healthy', () => {
    for (const name of ['api-host', 'stream-host']) {
      expect(services[name]?.depends_on).toMatchObject({
        migrate: { condition: 'service_completed_successfully' },
        redis: { condition: 'service_healthy' },
      });
    }
    expect(services['migrate']?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    const named = Object.values(services).flatMap(({ depends_on = {} }) => Object.keys(depends_on));
    expect(named.filter((name) => services[name] === undefined)).toEqual([]);
  });
});
