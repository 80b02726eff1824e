import { choice, duration, list, secret, string, url } from '@sluice/config';
import { USER_TEMPLATE_DEFAULT } from './user-template.ts';

const PEM = 'PEM text';

/** How Trino is reached that runs the queries. Without an address DuckDB does. */
export const trinoSettings = {
  engineUrl: url('ENGINE_URL', {
    description: 'Address of the Trino that runs the queries: scheme, host and port. Without it DuckDB runs them.',
    optional: true,
  }),
  engineCatalogs: list('ENGINE_CATALOGS', {
    description:
      'Trino catalogs of every tenant that ENGINE_TENANTS does not name; the first is the one of names that have none.',
    pattern: /^[A-Za-z_][\w-]*$/,
    form: 'names of catalogs, separated by commas',
    optional: true,
  }),
  engineSchema: string('ENGINE_SCHEMA', {
    description: 'Schema of names that have none, in the first catalog.',
    optional: true,
  }),
  engineUser: string('ENGINE_USER', {
    description:
      'Account of this service at Trino, which must allow it to impersonate the users; with ENGINE_PASSWORD.',
    optional: true,
  }),
  engineUserTemplate: string('ENGINE_USER_TEMPLATE', {
    description:
      'User that Trino is told a statement runs for: `{tenant}` is the tenant’s name, `{user}` the e-mail or client id. Without `{tenant}`, two tenants may have the same user.',
    default: USER_TEMPLATE_DEFAULT,
  }),
  enginePassword: secret('ENGINE_PASSWORD', { description: 'Password of ENGINE_USER.', optional: true }),
  engineToken: secret('ENGINE_TOKEN', {
    description: 'JWT by which this service proves to Trino who it is.',
    optional: true,
  }),
  engineCertificate: secret('ENGINE_CERTIFICATE', {
    description: `Client certificate for Trino, ${PEM}; with ENGINE_KEY.`,
    optional: true,
  }),
  engineKey: secret('ENGINE_KEY', { description: `Private key of ENGINE_CERTIFICATE, ${PEM}.`, optional: true }),
  engineKeyPassphrase: secret('ENGINE_KEY_PASSPHRASE', { description: 'Passphrase of ENGINE_KEY.', optional: true }),
  engineCa: secret('ENGINE_CA', {
    description: `Authority that signed the certificate of Trino, when the system does not know it, ${PEM}.`,
    optional: true,
  }),
  engineTenants: secret('ENGINE_TENANTS', {
    description:
      'JSON object of tenants that differ: `{"acme": {"catalogs": ["sales"], "schema": "public"}}`. Besides: `user_template`; `url`, and with it `user` and `password`, `token`, or `certificate`, `key` and `passphrase`, and `ca`; another address gets none of the credentials above.',
    optional: true,
  }),
  engineSpooling: choice('ENGINE_SPOOLING', {
    description: 'Whether results are fetched by the spooled protocol where Trino has it.',
    values: ['offered', 'off'],
    default: 'offered',
  }),
  engineSegmentOrigins: list('ENGINE_SEGMENT_ORIGINS', {
    description: 'Origins that spooled segments may be fetched from besides Trino’s: its object store.',
    pattern: /^https?:\/\/[^/]+$/,
    form: 'origins such as `https://store.example:9000`, separated by commas',
    optional: true,
  }),
  engineAnswerTimeoutMs: duration('ENGINE_ANSWER_TIMEOUT', {
    description: 'Without a byte from Trino for so long, a request to it is given up.',
    min: '100ms',
    max: '1h',
    default: '20s',
  }),
  engineHeartbeatMs: duration('ENGINE_HEARTBEAT', {
    description:
      'While a reader takes nothing, Trino hears from us this often. Less than half of its query.client.timeout, after which it drops the query.',
    min: '100ms',
    max: '1h',
    default: '30s',
  }),
} as const;
