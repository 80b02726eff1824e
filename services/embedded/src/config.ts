import { choice, type Environment, integer, readSettings, type SettingsOf, string, url } from '@sluice/config';

/** Settings of the embedded run itself. The rest of the environment is passed on to the hosts. */
export const embeddedSettings = {
  home: string('SLUICE_HOME', {
    description: 'Folder for all state of the embedded run: database, demo data, keys.',
    default: '.sluice',
  }),
  apiPort: integer('API_PORT', { description: 'Port of the API host.', default: '8080', min: 1, max: 65_535 }),
  streamPort: integer('STREAM_PORT', { description: 'Port of the stream host.', default: '8081', min: 1, max: 65_535 }),
  streamTlsPort: integer('STREAM_TLS_PORT', {
    description:
      'Port of the stream host over TLS, which Trino clients need for passwords. If it is in use, Sluice starts without it. 0: none.',
    default: '8443',
    min: 0,
    max: 65_535,
  }),
  identityProviderPort: integer('IDP_PORT', {
    description: 'Port of the development identity provider.',
    default: '8082',
    min: 1,
    max: 65_535,
  }),
  dataFolder: string('SLUICE_DATA_DIR', {
    description: 'Folder of Parquet, CSV, TSV, JSON and NDJSON files to serve as views of the catalog `files`.',
    optional: true,
  }),
  dataMerge: choice('SLUICE_DATA_MERGE', {
    description:
      '`folder`: the files of a folder of SLUICE_DATA_DIR that have one format and schema are one view. `off`: each is a view.',
    values: ['off', 'folder'],
    default: 'off',
  }),
  engineUrl: url('ENGINE_URL', {
    description:
      'Address of a Trino that runs the queries, with the other ENGINE settings. The demo then has accounts but no data.',
    optional: true,
  }),
} as const;

export interface EmbeddedConfig {
  readonly settings: SettingsOf<typeof embeddedSettings>;
  readonly environment: Environment;
  /** `npm`: the process stops when npm ends, because npm's shell forwards no signals. */
  readonly startedBy: 'npm' | 'shell';
}

export function readEmbeddedConfig(): EmbeddedConfig {
  // biome-ignore lint/style/noProcessEnv: the one place of this service that reads the environment.
  const environment: Environment = { ...process.env };
  const { settings } = readSettings(embeddedSettings, environment);
  return { settings, environment, startedBy: environment['npm_lifecycle_event'] === undefined ? 'shell' : 'npm' };
}
