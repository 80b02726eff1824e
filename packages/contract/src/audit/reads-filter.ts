import { z } from 'zod';
import { formatTableName, parseTableName } from '../catalog/parse-table-name.ts';
import { hasAtMost } from '../fields/text-field.ts';

/** Longest name that the index of the audit log has whole. */
const READS_CHARACTERS_MAX = 640;

const PART = String.raw`(?:"(?:[^"\u0000]|"")+"|[^".\u0000]+)`;
const READS = new RegExp(String.raw`^(?:${PART}\.${PART}\.${PART}|${PART}\.(?:${PART}\.)?|[^\u0000]*\*)$`);

/** Filter of the audit log by a table that was read, in one spelling: parts are in quotes only where they must be. */
export const readsFilter = z
  .string({ error: 'reads must be a string: the name of one table, or a prefix' })
  .refine(
    (reads) => hasAtMost(reads, READS_CHARACTERS_MAX),
    `reads must have at most ${READS_CHARACTERS_MAX} characters: the name of one table, or a prefix`,
  )
  .regex(READS, 'reads must be catalog.schema.table, or a prefix that ends with . or *')
  .refine((reads) => reads.isWellFormed(), 'reads must be well-formed Unicode')
  .overwrite(normalized)
  .meta({ maxLength: READS_CHARACTERS_MAX })
  .describe(
    'Records of statements that read this table or view: catalog.schema.table, or a prefix: demo. or demo.vega. for a catalog or a schema, demo.vega.fl* for names that begin so. ASCII letters match in either case',
  );

/** Endings that complete a prefix to the name of a table. */
const COMPLETIONS = ['', 'x', 'x.x'] as const;

function normalized(reads: string): string {
  if (reads.endsWith('*')) return reads;
  for (const completion of COMPLETIONS) {
    const name = parseTableName(`${reads}${completion}`);
    if (name !== undefined) return formatTableName(name).slice(0, -completion.length || undefined);
  }
  return reads;
}
