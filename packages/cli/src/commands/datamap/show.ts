import { ResponseError } from '@sluice/client';
import { defineCommand } from '../../command.ts';
import { CommandError } from '../../errors.ts';
import { printDetails } from '../../output/print-details.ts';
import { formatTime } from '../../times/format-time.ts';

const FIELDS = [{ title: 'Field' }, { title: 'Type' }, { title: 'Tags' }, { title: 'Description' }];
const PARAMETERS = [
  { title: 'Parameter' },
  { title: 'Type' },
  { title: 'Required' },
  { title: 'Default' },
  { title: 'Description' },
];

const textOrNull = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);

export const datamapShow = defineCommand({
  name: 'datamap show',
  summary: 'Describe a datamap with its SQL, parameters and fields',
  arguments: { id: { meaning: 'Id of the datamap.', isRequired: true, completes: 'datamap' } },
  options: {},
  examples: [
    {
      command: 'datamap show "$(sluice datamap search flights --json --limit 1 | jq -r .id)"',
      does: 'shows the best match of a search',
      notRun: 'it needs jq',
    },
  ],
  routes: ['GET /datamap/{id}'],
  run: async (context, { arguments: { id } }) => {
    const { client } = await context.connect();
    const found = await client.api.getDatamap({ params: { id }, signal: context.signal }).catch((error: unknown) => {
      if (!(error instanceof ResponseError) || error.status !== 404) throw error;
      throw new CommandError(`There is no datamap ${id}. \`sluice datamap list\` shows the ids.`, { cause: error });
    });
    const { datamap } = found;
    await printDetails(context, found, {
      title: `${datamap.display_name} (${datamap.state})`,
      fields: [
        ['Id', found.id],
        ['Description', found.description],
        ['Tags', found.tags.join(', ')],
        ['Owner', datamap.assigned.to],
        ['Expert', datamap.assigned.sme],
        ['Priority', datamap.priority],
        ['Reads', (found.reads ?? []).join(', ')],
        ['Updated', formatTime(found.updated_ts)],
        ['Published', formatTime(datamap.last_published_timestamp)],
        ['SQL', datamap.advanced_mode.sql, 'whole'],
      ],
      tables: [
        {
          title: 'Parameters',
          columns: PARAMETERS,
          rows: datamap.parameters.map((each) => [
            `$${each.name}`,
            each.type,
            each.required ? 'yes' : 'no',
            textOrNull(each.default),
            textOrNull(each.description),
          ]),
        },
        {
          title: 'Fields',
          columns: FIELDS,
          rows: datamap.datamap_fields.map((each) => [
            each.name,
            each.java_type.replace(/^java\.(?:lang|math|sql)\./, ''),
            each.tags.join(', '),
            each.description,
          ]),
        },
      ],
    });
  },
});
