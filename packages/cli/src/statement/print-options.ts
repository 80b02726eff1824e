/** Options of the commands that print results. */
export const PRINT_OPTIONS = {
  timeZone: {
    kind: 'text',
    value: 'ZONE',
    meaning: 'Time zone of the session, such as Europe/Berlin. Default: UTC.',
  },
  null: {
    kind: 'text',
    value: 'STRING',
    meaning: 'String that stands for NULL, in every format except json and ndjson.',
  },
  maxColumnWidth: {
    kind: 'integer',
    value: 'N',
    min: 1,
    max: 10_000,
    default: 120,
    meaning: 'Columns of the widest cell of a table.',
  },
  noPager: { kind: 'flag', meaning: 'Do not use a pager.' },
} as const;
