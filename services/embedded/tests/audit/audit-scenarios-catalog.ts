import { createScenarioDatamap } from './audit-scenarios-datamaps.ts';
import type { Actor, ScenarioRunner, Scenarios } from './scenario-runner.ts';

const DOMAIN = { name: 'Sales', description: 'What is sold', owner: null };
const RENAMED = { name: 'Revenue', description: null, owner: null };
let named = 0;

/** Returns a unique name for a domain or role. */
const nameOf = (what: string): string => {
  named += 1;
  return `${what} ${named}`;
};

async function domainOf({ act }: ScenarioRunner, by: Actor, name: string): Promise<string> {
  const { body } = await act({
    action: 'CREATE_DOMAIN',
    by,
    path: '/domains',
    body: { ...DOMAIN, name },
    status: 201,
    record: (answer) => ({
      target: name,
      metadata: { domain_id: answer.body.id, before: null, after: { ...DOMAIN, name } },
    }),
  });
  return body.id as string;
}

const domainScenarios: Scenarios = {
  async READ_DOMAINS(runner) {
    const by = await runner.person(['steward']);
    const name = nameOf('Read');
    const id = await domainOf(runner, by, name);
    const read = { action: 'READ_DOMAINS', by } as const;
    await runner.act({
      ...read,
      path: '/domains?from=0&size=7',
      record: () => ({ target: 'domains', metadata: { from: 0, size: 7 } }),
    });
    await runner.act({
      ...read,
      path: `/domains/${id}`,
      record: () => ({ target: name, metadata: { domain_id: id } }),
    });
    await runner.act({
      ...read,
      path: `/domains/${id}/objects?size=7`,
      record: () => ({ target: name, metadata: { domain_id: id, from: 0, size: 7 } }),
    });
  },
  CREATE_DOMAIN: async (runner) => await domainOf(runner, await runner.person(['steward']), nameOf('Created')),
  async UPDATE_DOMAIN(runner) {
    const by = await runner.person(['steward']);
    const name = nameOf('Old');
    const id = await domainOf(runner, by, name);
    const after = { ...RENAMED, name: nameOf('New') };
    await runner.act({
      action: 'UPDATE_DOMAIN',
      by,
      method: 'PUT',
      path: `/domains/${id}`,
      body: after,
      record: () => ({ target: after.name, metadata: { domain_id: id, before: { ...DOMAIN, name }, after } }),
    });
  },
  async DELETE_DOMAIN(runner) {
    const by = await runner.person(['steward']);
    const name = nameOf('Gone');
    const id = await domainOf(runner, by, name);
    await runner.act({
      action: 'DELETE_DOMAIN',
      by,
      method: 'DELETE',
      path: `/domains/${id}`,
      status: 204,
      record: () => ({ target: name, metadata: { domain_id: id, before: { ...DOMAIN, name }, after: null } }),
    });
  },
};

const IMPORTED = 1_000;

/** Starts an import that takes long enough to be cancelled, and returns its id. */
async function startImport({ act }: ScenarioRunner, by: Actor): Promise<string> {
  const missing = { type: 'TABLE', id: 'demo.vega.no_such_table', description: 'x' };
  const { body } = await act({
    action: 'START_METADATA_IMPORT',
    by,
    path: '/metadata/imports?dry_run=true',
    body: { metadata_objects: Array.from({ length: IMPORTED }, () => missing) },
    status: 202,
    record: (answer) => ({
      target: answer.body.import_id,
      metadata: { format: 'json', dry_run: true, total_count: IMPORTED },
    }),
  });
  return body.import_id as string;
}

const cancelImport = async ({ act }: ScenarioRunner, by: Actor, id: string): Promise<void> =>
  void (await act({
    action: 'CANCEL_METADATA_IMPORT',
    by,
    method: 'DELETE',
    path: `/metadata/imports/${id}`,
    status: 202,
    record: ({ body }) => ({
      target: id,
      metadata: { processed_count: body.processed_count, total_count: IMPORTED },
    }),
  }));

export const catalogScenarios: Scenarios = {
  ...domainScenarios,
  async IMPORT_METADATA(runner) {
    const by = await runner.person(['steward']);
    const id = await createScenarioDatamap(runner, by);
    const request = {
      action: 'IMPORT_METADATA',
      by,
      path: '/metadata/import',
      body: { metadata_objects: [{ type: 'DATAMAP', id, tags: ['sold'] }] },
      headers: { 'idempotency-key': `key-${id}` },
    } as const;
    const objects = [
      {
        type: 'DATAMAP',
        id,
        fact_id: id,
        success: true,
        error_message: null,
        changes: [{ field: null, property: 'tags', before: [], after: ['sold'] }],
      },
    ];
    await runner.act({ ...request, record: () => ({ target: id, metadata: { dry_run: false, objects } }) });
    await runner.act({ ...request, record: () => ({ target: id, metadata: { replayed: true } }) });
  },
  async EXPORT_METADATA({ act, person }) {
    await act({
      action: 'EXPORT_METADATA',
      by: await person(['steward']),
      path: '/metadata/export?type=DATAMAP&prefix=0&format=csv&all=true',
      record: () => ({ target: '0', metadata: { type: 'DATAMAP', prefix: '0', format: 'csv', all: true } }),
    });
  },
  async START_METADATA_IMPORT(runner) {
    await startImport(runner, await runner.person(['steward']));
  },
  async CANCEL_METADATA_IMPORT(runner) {
    const by = await runner.person(['steward']);
    await cancelImport(runner, by, await startImport(runner, by));
  },
  async READ_METADATA_IMPORT(runner) {
    const by = await runner.person(['steward']);
    const id = await startImport(runner, by);
    await cancelImport(runner, by, id);
    await runner.act({
      action: 'READ_METADATA_IMPORT',
      by,
      path: `/metadata/imports/${id}/report?failed=true`,
      record: () => ({ target: id, metadata: { format: 'json', failed: true } }),
    });
  },
  async START_HARVEST({ act, person }) {
    await act({
      action: 'START_HARVEST',
      by: await person(['admin']),
      method: 'POST',
      path: '/admin/harvest',
      status: 202,
      record: ({ body }) => ({ target: body.run_id, metadata: { state: body.state } }),
    });
  },
  async READ_HARVESTS({ act, person }) {
    await act({
      action: 'READ_HARVESTS',
      by: await person(['admin']),
      path: '/admin/harvest',
      record: () => ({ target: 'harvests', metadata: {} }),
    });
  },
};
