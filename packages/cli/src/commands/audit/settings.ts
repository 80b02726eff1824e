import { defineCommand } from '../../command.ts';

export const auditSettings = defineCommand({
  name: 'audit settings',
  summary: 'Show or choose whether reads of metadata are recorded in the audit log',
  description:
    'Needs the permission `admin`. Reads of metadata are lists, searches and descriptions of tables, domains, datamaps and marketplace items. Everything else is always recorded, this change too. With `--json`, prints the response of the API as one line.',
  arguments: {},
  options: {
    metadataReads: {
      kind: 'text',
      value: 'CHOICE',
      choices: ['recorded', 'not_recorded'],
      meaning: 'Record such reads or leave them out. Without it: only show what is chosen.',
    },
  },
  examples: [
    { command: 'audit settings', does: 'shows what is chosen', notRun: 'needs an admin' },
    {
      command: 'audit settings --metadata-reads not_recorded',
      does: 'leaves reads of metadata out from now on',
      notRun: 'needs an admin',
    },
  ],
  routes: ['GET /admin/audit-settings', 'PUT /admin/audit-settings'],
  run: async ({ connect, globals, terminal, signal }, { options: { metadataReads } }) => {
    const { client } = await connect();
    const settings =
      metadataReads === undefined
        ? await client.api.getAuditSettings({ signal })
        : await client.api.putAuditSettings({ body: { metadata_reads: metadataReads }, signal });
    await terminal.stdout.write(
      globals.isJson ? `${JSON.stringify(settings)}\n` : `Reads of metadata: ${settings.metadata_reads}\n`,
    );
  },
});
