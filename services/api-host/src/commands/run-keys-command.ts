import { readSettings, SettingsError } from '@sluice/config';
import { createEncryptedValueStore } from '@sluice/store/administration';
import { createDatabase } from '@sluice/store/database';
import { apiHostSettings } from '../config.ts';
import { masterKeysOf } from '../context/master-keys-of.ts';
import { type RewrapProgress, rewrapValues } from '../use-cases/administration/rewrap-values.ts';
import { createProgram, runProgram } from './command-line.ts';
import type { OperatorCommand, OperatorProgram } from './run-as-main.ts';

/** Settings of `npm run keys:rewrap`: those of an API host. */
const keysCommandSettings = {
  databaseUrl: apiHostSettings.databaseUrl,
  masterKey: apiHostSettings.masterKey,
  masterKeyPrevious: apiHostSettings.masterKeyPrevious,
} as const;

const progressLine = ({ name, rewrapped, kept, unreadable }: RewrapProgress): string =>
  `${name}: ${rewrapped} rewrapped, ${kept} under the current key, ${unreadable} unreadable.`;

/** A page of values is one transaction. No client waits for it. */
const DATABASE = { poolMax: 1, connectTimeoutMs: 20_000, queryTimeoutMs: 30_000, applicationName: 'sluice-keys' };

async function rewrap({ environment, say }: OperatorCommand): Promise<number> {
  const { settings } = readSettings(keysCommandSettings, environment);
  const keys = masterKeysOf(settings);
  if (keys.previous === undefined)
    throw new SettingsError(['SLUICE_MASTER_KEY_PREVIOUS must be the key that the stored values are encrypted under']);
  await using database = createDatabase({ url: settings.databaseUrl.reveal(), ...DATABASE });
  await database.ping();
  const results = await rewrapValues({
    values: createEncryptedValueStore(database),
    keys,
    onPage: (progress) => say(progressLine(progress)),
  });
  for (const result of results) say(progressLine(result));
  const unreadable = results.reduce((sum, result) => sum + result.unreadable, 0);
  say(
    unreadable === 0
      ? 'Every stored value is under SLUICE_MASTER_KEY. Remove SLUICE_MASTER_KEY_PREVIOUS from all API hosts.'
      : `${unreadable} values are under neither key. Set SLUICE_MASTER_KEY_PREVIOUS to the key that they were stored under, and run this again.`,
  );
  return unreadable === 0 ? 0 : 1;
}

/** Runs `npm run keys:rewrap`. Returns the exit code: 1 if neither key decrypts a value. Throws an error whose message is for the operator. */
async function runKeysCommand(command: OperatorCommand): Promise<number> {
  const program = createProgram('keys', 'Rotate the master key.', command.say);
  let exitCode = 0;
  program
    .command('rewrap')
    .description(
      'Encrypt every stored value again: from SLUICE_MASTER_KEY_PREVIOUS to SLUICE_MASTER_KEY. The hosts may run meanwhile.',
    )
    .action(async () => {
      exitCode = await rewrap(command);
    });
  await runProgram(program, command.argv);
  return exitCode;
}

/** `npm run keys:rewrap`. Exit code 1 says that neither key decrypts a value. */
export const keysProgram: OperatorProgram = { run: runKeysCommand, failureCode: 2 };
