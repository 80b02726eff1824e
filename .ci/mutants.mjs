/**
 * Guards of the product, each broken by hand. test-mutants.mjs breaks one at a time and expects that its tests fail.
 *
 * - `name`: what is wrong with the product then, for people.
 * - `file`, `find`, `replace`: the source, a fragment that occurs once there, and what replaces it. The file must still load, and
 *   must not run forever.
 * - `tests`: few and fast test files of `npm test` or `.ci/run`, of which at least one test must fail.
 * - `isBuilt`: the tests run the built file, as in query workers and the command line.
 */
export const MUTANTS = [
  {
    name: 'the end of the audit log can be removed without a trace',
    file: 'packages/audit/src/chain-verifier.ts',
    find: 'if (this.#checkpoint !== undefined)',
    replace: 'if (this.#checkpoint !== undefined && this.#next === 1)',
    tests: ['packages/audit/src/chain-verifier.test.ts', 'packages/audit/src/verify-checkpoints.test.ts'],
  },
  {
    name: 'the token of one tenant is accepted by another',
    file: 'packages/auth/src/token-verifier.ts',
    find: 'payload.iss !== issuerOf(options, tenantName)',
    replace: 'payload.iss === undefined',
    tests: ['packages/auth/src/token-verifier.test.ts'],
  },
  {
    name: 'a changed file of the same length matches its receipt',
    file: 'packages/cli/src/part-file/compare-file.ts',
    find: 'file.bytes === receipt.bytes && file.sha256 === receipt.sha256',
    replace: 'file.bytes === receipt.bytes',
    tests: ['packages/cli/src/part-file/compare-file.test.ts'],
  },
  {
    name: 'a result without some of its rows is complete',
    file: 'packages/client/src/queries/query-state.ts',
    find: "complete: 'complete',\n    miscounted: 'incomplete',",
    replace: "complete: 'complete',\n    miscounted: 'complete',",
    tests: ['packages/client/src/queries/query-state.test.ts'],
  },
  {
    name: 'a message about a bad setting contains the secret',
    file: 'packages/config/src/read-settings.ts',
    find: "setting.isSecret ? '' :",
    replace: "setting.isOptional ? '' :",
    tests: ['packages/config/src/read-settings.test.ts'],
  },
  {
    name: 'a row with too few values moves the values of later rows',
    file: 'packages/console/src/result/row-store.ts',
    find: 'if (row.length !== this.columns.length)',
    replace: 'if (row.length > this.columns.length)',
    tests: ['packages/console/src/result/row-store.test.ts'],
  },
  {
    name: 'a decimal parameter with too many digits is accepted, and the engine rounds it',
    file: 'packages/contract/src/queries/parameter-value.ts',
    find: ' || fraction.length > scale',
    replace: '',
    tests: ['packages/contract/src/queries/parameter-value.test.ts'],
  },
  {
    name: 'a CSV file of a query that failed looks complete',
    file: 'packages/encoders/src/csv.ts',
    find: 'failed: () => undefined',
    replace: "failed: () => ''",
    tests: ['packages/encoders/src/csv.test.ts'],
  },
  {
    name: 'a statement on DuckDB reads a file of the server',
    file: 'packages/engine/src/duckdb/guard/read-only-guard.ts',
    find: 'if (mayBeFile || this.#names.isSystemView(name))',
    replace: 'if (this.#names.isSystemView(name))',
    tests: ['packages/engine/src/duckdb/guard/read-only-guard.test.ts'],
  },
  {
    name: 'a page of Trino with two lists of rows loses one of them',
    file: 'packages/engine/src/trino/protocol/result-page.ts',
    find: 'if (this.#members.has(name))',
    replace: "if (this.#members.has(name) && name !== 'data')",
    tests: ['packages/engine/src/trino/protocol/result-page.test.ts'],
  },
  {
    name: 'after an outage a host closes the queries of hosts that live',
    file: 'packages/host-runtime/src/periodic/host-heartbeat.ts',
    find: 'time - sentAt > 2 * everyMs',
    replace: 'time - sentAt < 0',
    tests: ['packages/host-runtime/src/periodic/host-heartbeat.test.ts'],
  },
  {
    name: 'scripts of a page can read the cookie of the session',
    file: 'packages/http/src/response/host-cookie.ts',
    find: '; Path=/; HttpOnly; SameSite=Lax`',
    replace: '; Path=/; SameSite=Lax`',
    tests: ['packages/http/src/response/host-cookie.test.ts'],
  },
  {
    name: 'a job that fails once is never tried again',
    file: 'packages/jobs/src/bullmq-queue.ts',
    find: 'attempts: ATTEMPTS_MAX,',
    replace: 'attempts: 1,',
    tests: ['packages/jobs/testing/postgres-contract.test.ts'],
  },
  {
    name: 'any user changes the grants of a marketplace item',
    file: 'packages/marketplace/src/change-items.ts',
    find: 'return requireManager(await tx.items.lock(id, granteeOf(principal)), principal);',
    replace: 'return (await tx.items.lock(id, granteeOf(principal))) as StoredItem;',
    tests: ['packages/marketplace/src/change-items.test.ts'],
  },
  {
    name: 'the log contains a secret that is part of a message',
    file: 'packages/observability/src/logger.ts',
    find: 'hooks: { streamWrite: redactText },',
    replace: '',
    tests: ['packages/observability/src/logger.test.ts'],
  },
  {
    name: 'a worker fills the memory of the host while the client does not read',
    file: 'packages/query-worker/src/parent/frame-queue.ts',
    find: 'return !this.#ended && this.#queuedBytes <= QUEUED_BYTES_MAX;',
    replace: 'return !this.#ended;',
    tests: ['packages/query-worker/src/parent/frame-queue.test.ts'],
  },
  {
    name: 'a result that a worker could not finish looks complete',
    file: 'packages/query-worker/src/child/serve-channel.ts',
    find: "encodeFrame('failed', { ...describeFailure(thrown), mustReplace } satisfies FailedPayload)",
    replace: "encodeFrame('end', { limited: false, ...describeFailure(thrown), mustReplace } as FailedPayload)",
    tests: ['services/stream-host/tests/results/query-download-csv.test.ts'],
    isBuilt: true,
  },
  {
    name: 'a ticket of a download is used twice',
    file: 'packages/shared-state/src/in-process/in-process-one-time-values.ts',
    find: 'entry.group !== group) return undefined;\n    this.#remove(entry);',
    replace: 'entry.group !== group) return undefined;',
    tests: ['packages/shared-state/src/in-process/in-process-one-time-values.test.ts'],
  },
  {
    name: 'an id that is not a UUID opens the rows of every tenant',
    file: 'packages/store/src/database/scope.ts',
    find: 'if (!isUuid(scope.tenantId))',
    replace: "if (scope.tenantId === '')",
    tests: ['packages/store/src/database/scope.test.ts'],
  },
  {
    name: 'the credentials of all tenants are sent to the Trino of one',
    file: 'packages/tenant-engines/src/resolver/create-trino-resolver.ts',
    find: 'baseUrl: url, credentials: credentialsOf(own) }',
    replace: 'baseUrl: url, credentials: shared.credentials }',
    tests: ['packages/tenant-engines/src/resolver/create-trino-resolver.test.ts'],
  },
  {
    name: 'a login redirects to an address of another host',
    file: 'services/api-host/src/use-cases/identity/check-return-to.ts',
    find: ' || resolve(result, baseUrl).href !== url.href',
    replace: '',
    tests: ['services/api-host/src/use-cases/identity/check-return-to.test.ts'],
  },
  {
    name: 'a cancelled query keeps running',
    file: 'services/stream-host/src/use-cases/queries/cancel-query.ts',
    find: 'running.find(receipt.query_id)?.stop(cancelledByCaller());',
    replace: '',
    tests: ['services/stream-host/src/use-cases/queries/cancel-query.test.ts'],
  },
  {
    name: 'the name of a data file runs as SQL at the start',
    file: 'services/embedded/src/sql-text.ts',
    find: `text.replaceAll("'", "''")`,
    replace: 'text',
    tests: ['services/embedded/src/files/files-catalog.test.ts'],
    isBuilt: true,
  },
];
