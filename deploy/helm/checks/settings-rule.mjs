import assert from 'node:assert/strict';
import { apiHostSettings, migrateSettings } from '@sluice/api-host';
import { readSettings } from '@sluice/config';
import { streamHostSettings } from '@sluice/stream-host';

const SETTINGS = { 'api-host': apiHostSettings, 'stream-host': streamHostSettings, migration: migrateSettings };
const PROGRAMS = {
  'api-host': 'dist/main.js',
  'stream-host': 'dist/main.js',
  migration: 'dist/commands/migrate-main.js',
};
const KEY = Buffer.alloc(32, 7).toString('base64');

/** Contents that the files of secrets could have. */
const SECRETS = {
  REDIS_URL: 'rediss://redis.example.com',
  SMTP_URL: 'smtp://sluice:secret@mail.example.com:587',
  SLUICE_MASTER_KEY: KEY,
  AUDIT_NAME_KEY: KEY,
  RESULT_KEY: KEY,
  AUDIT_SIGNING_KEY: KEY,
  ENGINE_TENANTS: '{"acme": {"catalogs": ["sales"]}}',
};
const secretOf = (name) =>
  SECRETS[name] ??
  (name.endsWith('_URL') ? 'postgres://role@db.example.com/sluice' : 'secret-of-at-least-32-characters');

/** Returns the environment with the contents of files instead of their paths. */
const environmentOf = (env) =>
  Object.fromEntries(
    env.map(({ name, value }) =>
      name.endsWith('_FILE')
        ? [name.slice(0, -'_FILE'.length), secretOf(name.slice(0, -'_FILE'.length))]
        : [name, value],
    ),
  );

/** Throws if a process would reject its environment, or would not know a variable of it. */
export function assertSettings(objects) {
  for (const { kind, spec } of objects) {
    if (kind !== 'Deployment' && kind !== 'Job') continue;
    const [{ name, env, command }] = spec.template.spec.containers;
    assert.deepEqual(command, ['node', PROGRAMS[name]]);
    assert.equal(new Set(env.map((entry) => entry.name)).size, env.length, 'a variable is set twice');
    const environment = environmentOf(env);
    const known = Object.values(SETTINGS[name]).map((setting) => setting.name);
    assert.deepEqual(
      Object.keys(environment).filter((variable) => !known.includes(variable)),
      [],
      `variables that the ${name} does not know`,
    );
    assert.deepEqual(readSettings(SETTINGS[name], environment).warnings, []);
  }
}
