/**
 * Rewrites the tables of errors.md, audit-actions.md, configuration.md, limits.md, links.md, marketplace.md, metrics.md, sdk.md and cli.md from the
 * code that they describe:
 *
 *     npm run docs:generate
 *
 * The tests that compare the pages with the code parse the pages and do not use this script.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { register } from 'node:module';

// The tables are those of the sources, whatever was built before.
register('../packages/testkit/jest/native/typescript-hooks.mjs', import.meta.url);
const cli = await import('../packages/cli/src/index.ts');
const { describeSettings } = await import('../packages/config/src/index.ts');
const { AUDIT_ACTIONS, AUDIT_METADATA, downloadFormats, PROBLEMS, STATEMENT_PROBLEMS } = await import(
  '../packages/contract/src/index.ts'
);
const { presentError } = await import('../packages/trino-protocol/src/index.ts');
const { describeMetrics } = await import('../packages/observability/src/index.ts');
const { apiHostSettings, migrateSettings } = await import('../services/api-host/src/index.ts');
const { embeddedSettings } = await import('../services/embedded/src/index.ts');
const { streamHostSettings } = await import('../services/stream-host/src/index.ts');
const { cliSections, commandTree } = await import('./cli-sections.mjs');
const { bodyLimits, fieldLimits, settingLimits, uploadLimits, valueLimits } = await import('./request-limits.mjs');
const { listRows, membersOf, operationRows, queryStateRows } = await import('./sdk-tables.mjs');

const row = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
const table = (headings, rows) => [row(headings), row(headings.map(() => '---')), ...rows.map(row)].join('\n');

const problems = table(
  ['Code', 'Status', 'Stream code', 'Retry', 'Meaning'],
  Object.entries(PROBLEMS).map(([code, { status, retryable, summary }]) => [
    `\`${code}\``,
    status,
    `\`${code.toUpperCase()}\``,
    retryable ? 'yes' : 'no',
    summary,
  ]),
);

const trinoErrors = table(
  ['Stream code', 'Name', 'Number', 'Type'],
  STATEMENT_PROBLEMS.map((code) => {
    const { errorName, errorCode, errorType } = presentError({ code, message: '' });
    return [`\`${code.toUpperCase()}\``, `\`${errorName}\``, errorCode, `\`${errorType}\``];
  }),
);

const auditActions = table(
  ['Action', 'Meaning', 'Metadata'],
  Object.entries(AUDIT_ACTIONS).map(([action, meaning]) => [
    `\`${action}\``,
    meaning,
    (AUDIT_METADATA[action] ?? []).map((key) => `\`${key}\``).join(', '),
  ]),
);

const settings = (definitions) =>
  table(
    ['Name', 'Form', 'Default', 'Meaning'],
    describeSettings(definitions).map((setting) => [setting.name, setting.form, setting.default, setting.description]),
  );

async function rewrite(page, name, text) {
  const url = new URL(page, import.meta.url);
  const before = await readFile(url, 'utf8');
  const markers = new RegExp(`(<!-- table: ${name} -->\n)[^]*?(<!-- end -->)`);
  if (!markers.test(before)) throw new Error(`${page} has no table named ${name}.`);
  await writeFile(
    url,
    before.replace(markers, (_all, start, end) => `${start}\n${text}\n\n${end}`),
  );
}

await rewrite('errors.md', 'problems', problems);
await rewrite('errors.md', 'trino-errors', trinoErrors);
await rewrite('audit-actions.md', 'audit-actions', auditActions);
/** Settings that nearly every deployment sets, in the order in which an operator meets them. */
const ESSENTIAL = [
  'DATABASE_URL',
  'SLUICE_MASTER_KEY',
  'AUDIT_NAME_KEY',
  'ISSUER_TEMPLATE',
  'JWKS_URL',
  'API_PUBLIC_URL',
  'STREAM_PUBLIC_URL',
  'REDIS_URL',
  'ENGINE_URL',
  'TRUSTED_PROXIES',
];

const essential = table(
  ['Name', 'Host', 'Default', 'Meaning'],
  ESSENTIAL.map((name) => {
    const isNamed = (setting) => setting.name.split(' ')[0] === name;
    const api = describeSettings(apiHostSettings).find(isNamed);
    const stream = describeSettings(streamHostSettings).find(isNamed);
    const host = api && stream ? 'both' : api ? 'API' : 'stream';
    const setting = api ?? stream;
    return [setting.name, host, setting.default, setting.description];
  }),
);

await rewrite('configuration.md', 'essential', essential);
await rewrite('configuration.md', 'api-host', settings(apiHostSettings));
await rewrite('configuration.md', 'stream-host', settings(streamHostSettings));
await rewrite('configuration.md', 'migrate', settings(migrateSettings));
await rewrite('configuration.md', 'embedded', settings(embeddedSettings));
await rewrite(
  'limits.md',
  'settings',
  table(['Limit', 'Default', 'Setting', 'At the limit'], settingLimits([streamHostSettings, apiHostSettings])),
);
await rewrite('limits.md', 'bodies', table(['At most', 'Body of'], bodyLimits()));
await rewrite('limits.md', 'values', table(['Members and elements at most', 'Body of'], valueLimits()));
await rewrite('limits.md', 'uploads', table(['Limit', 'At most', 'Above'], uploadLimits()));
await rewrite('limits.md', 'fields', table(['Field', 'Limit', 'Operations'], fieldLimits()));

const quoted = (names) => names.map((name) => `\`${name}\``).join(', ');
const marketplaceNames = (assembly) =>
  quoted(downloadFormats.flatMap(([, format]) => (format.assembly === assembly ? format.marketplaceNames : [])));
await rewrite(
  'marketplace.md',
  'formats',
  table(
    ['Queries', marketplaceNames('text'), marketplaceNames('workbook')],
    [
      ['one', 'the file itself', 'a workbook'],
      ['several', 'a ZIP archive: one file per query, then `manifest.json`', 'one workbook with one sheet per query'],
    ],
  ),
);
await rewrite(
  'links.md',
  'links',
  table(
    ['Link', 'Formats', 'Needs'],
    [
      [
        '`GET /marketplace/{id}/download/{format}`',
        quoted(downloadFormats.flatMap(([, format]) => format.marketplaceNames)),
        '`marketplace:download` and a grant',
      ],
      [
        '`GET /datamap/{id}/download/{format}`',
        quoted(downloadFormats.map(([name]) => name)),
        '`query:run` and `datamap:read`; a published datamap',
      ],
    ],
  ),
);

const metrics = (described) =>
  table(
    ['Name', 'Type', 'Labels', 'Meaning'],
    described.map(({ name, type, labels, meaning }) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(', '),
      meaning,
    ]),
  );
const { own, process } = describeMetrics();
await rewrite('metrics.md', 'own', metrics(own));
await rewrite('metrics.md', 'process', metrics(process));

const MEMBERS = ['Name', 'Type', 'Meaning'];
for (const [name, path, declaration] of [
  ['client-options', 'client-options.ts', 'ClientOptions'],
  ['raw-request', 'operations/raw-request.ts', 'RawRequest'],
  ['stored-session', 'auth/auth.ts', 'StoredSessionAuth'],
  ['query-options', 'queries/query.ts', 'QueryOptions'],
  ['query', 'queries/query.ts', 'Query'],
  ['item-download', 'downloads/download-request.ts', 'ItemDownload'],
  ['download-progress', 'downloads/received-file.ts', 'DownloadProgress'],
  ['statement-download', 'downloads/download-request.ts', 'StatementDownload'],
  ['download-options', 'downloads/download.ts', 'DownloadOptions'],
  ['download', 'downloads/download.ts', 'Download'],
  ['query-summary', 'queries/query.ts', 'QuerySummary'],
  ['resume-options', 'http/resume.ts', 'ResumeOptions'],
  ['kept-result', 'results/kept-result.ts', 'KeptResult'],
  ['result-rows-options', 'results/read-pages.ts', 'ResultRowsOptions'],
  ['result-format-options', 'downloads/result-file.ts', 'ResultFormatOptions'],
])
  await rewrite('sdk.md', name, table(MEMBERS, membersOf(path, declaration)));
await rewrite('sdk.md', 'lists', table(['Function', 'Does'], listRows()));
await rewrite('sdk.md', 'query-states', table(['State', 'Changed by'], queryStateRows()));
await rewrite('sdk.md', 'operations', table(['Function', 'Request', 'Does'], operationRows()));

for (const [name, text] of Object.entries(cliSections(cli))) await rewrite('cli.md', name, text);
await writeFile(new URL('../packages/cli/tests/command-tree.txt', import.meta.url), commandTree(cli));
