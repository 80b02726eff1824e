/** Objects of one file. */
export const FILE_OBJECTS_MAX = 100_000;
export const FILE_BYTES_MAX = 64 * 1024 * 1024;
/** JSON text of one object of a file. */
export const FILE_OBJECT_BYTES_MAX = 4 * 1024 * 1024;

/** Columns of a metadata file in CSV, in this order. */
export const FILE_COLUMNS = [
  'type',
  'id',
  'field',
  'display_name',
  'description',
  'tags',
  'domains',
  'domain_ids',
] as const;
/** Columns and members that a report adds to those of a file. An import ignores them; in CSV, a row with a `line` starts an object. */
export const REPORT_MEMBERS = ['line', 'success', 'fact_id', 'fields_processed', 'error_message', 'changes'] as const;
