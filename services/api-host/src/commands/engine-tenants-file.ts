import { readFile, rename, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { SettingsError } from '@sluice/config';
import { parseTenantOverrides } from '@sluice/tenant-engines';

interface EngineTenantChange {
  /** File that the hosts read as `ENGINE_TENANTS_FILE`. */
  readonly path: string;
  readonly tenantName: string;
  readonly engine: Readonly<Record<string, unknown>>;
  readonly isDryRun: boolean;
}

/** Sets the engine of a tenant in the file. Throws SettingsError for a file, or an engine, that the hosts would reject. */
export async function putEngineTenant({ path, tenantName, engine, isDryRun }: EngineTenantChange) {
  const text = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return '{}';
    throw new SettingsError([`--engine-tenants ${path} cannot be read (${thrown.code})`]);
  });
  const check = (content: string): ReadonlyMap<string, unknown> => {
    try {
      return parseTenantOverrides(content);
    } catch (thrown) {
      throw new SettingsError([
        `--engine-tenants ${path} ${thrown instanceof Error ? thrown.message : 'is not valid'}`,
      ]);
    }
  };
  const tenants = Object.fromEntries(check(text));
  const before = tenants[tenantName];
  if (isDeepStrictEqual(before, engine)) return 'unchanged';
  const after = `${JSON.stringify({ ...tenants, [tenantName]: engine }, undefined, 2)}\n`;
  check(after);
  if (!isDryRun) {
    const unfinished = `${path}.${process.pid}`;
    await writeFile(unfinished, after, { mode: 0o600 });
    await rename(unfinished, path);
  }
  return before === undefined ? 'created' : 'updated';
}
