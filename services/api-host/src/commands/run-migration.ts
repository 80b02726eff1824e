import { type Environment, readSettings, type Secret, SettingsError } from '@sluice/config';
import { rejectDevelopmentSecrets } from '@sluice/host-runtime';
import { migrateJobs } from '@sluice/jobs';
import { migrate, type ServingRole } from '@sluice/store/schema';
import { createProgram, runProgram } from './command-line.ts';
import { migrateSettings } from './migrate-config.ts';
import type { OperatorCommand } from './run-as-main.ts';

const roleOf = (name: string, databaseUrl: Secret): ServingRole => {
  const { username, password } = new URL(databaseUrl.reveal());
  if (username === '') throw new SettingsError([`${name} must name a role`]);
  return {
    name: decodeURIComponent(username),
    password: password === '' ? undefined : decodeURIComponent(password),
  };
};

/** Runs `npm run migrate`. Throws an error whose message is for the operator. */
export async function runMigrateCommand({ argv, environment, say }: OperatorCommand): Promise<void> {
  const program = createProgram(
    'migrate',
    'Create or update the database schema and the roles of the hosts. Needs DATABASE_OWNER_URL, API_DATABASE_URL and STREAM_DATABASE_URL.',
    say,
  ).action(async () => say(await runMigration(environment)));
  await runProgram(program, argv);
}

/**
 * Runs the migrate command. It is separate from the hosts, which never change the schema. Returns the sentence to print. Throws an
 * error whose message is for the operator.
 */
export async function runMigration(environment: Environment): Promise<string> {
  const { settings } = readSettings(migrateSettings, environment);
  rejectDevelopmentSecrets(migrateSettings, settings, settings.publishedAddress);
  const apiRole = roleOf('API_DATABASE_URL', settings.apiUrl);
  const streamRole = roleOf('STREAM_DATABASE_URL', settings.streamUrl);
  if (apiRole.name === streamRole.name) {
    throw new SettingsError(['API_DATABASE_URL and STREAM_DATABASE_URL must name different roles']);
  }
  await migrate({
    ownerUrl: settings.ownerUrl.reveal(),
    apiRole,
    streamRole,
    lockTimeoutMs: settings.lockTimeoutMs,
  });
  await migrateJobs({ ownerUrl: settings.ownerUrl.reveal(), apiRole: apiRole.name });
  return 'The database schema is up to date.';
}
