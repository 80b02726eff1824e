import {
  auditOf,
  type Caller,
  formatTableName,
  type MetadataExportQuery,
  type MetadataObject,
  type Principal,
} from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { ExportedFact, ExportedField, MetadataExportStore } from '@sluice/store/catalog';
import { EXPORT_PAGE } from '@sluice/store/catalog';
import { seesAllDatamaps } from '../datamaps/datamap-access.ts';
import { tableBeginning } from './table-beginning.ts';

/** Pages of objects in the form of an import. They may be empty. */
export type ExportedPages = AsyncIterable<readonly MetadataObject[]>;

/**
 * Records the export and returns its objects: tables and views by name, then datamaps by id. Without `all`, only objects and fields that
 * have metadata. A value that an object lacks is left out. Throws `audit_unavailable`.
 */
export type ExportMetadata = (caller: Caller, input: MetadataExportQuery) => Promise<ExportedPages>;

interface ExportMetadataDependencies {
  readonly metadataExport: MetadataExportStore;
  readonly audit: Pick<AuditStore, 'append'>;
}

/** Fields of one object of a file. A wider object continues in a second one. */
const FIELDS_MAX = 2000;

const valuesOf = ({ description, tags }: Pick<ExportedField, 'description' | 'tags'>) => ({
  ...(description === null ? {} : { description }),
  ...(tags.length === 0 ? {} : { tags: [...tags] }),
});

const idOf = ({ name, factId }: ExportedFact): string => (name === null ? factId : formatTableName(name));

const hasMetadata = ({ type, description, tags, owner, domains, fields }: ExportedFact): boolean =>
  type === 'DATAMAP' ||
  description !== null ||
  owner !== null ||
  [tags, domains, fields].some((list) => list.length > 0);

const objectsOf = (fact: ExportedFact): MetadataObject[] => {
  const { type, displayName, owner, domains, domainNames } = fact;
  const key = { type, id: idOf(fact) };
  const fields = fact.fields.map((field) => ({ name: field.name, ...valuesOf(field) }));
  const object: MetadataObject = {
    ...key,
    ...(displayName === null ? {} : { display_name: displayName }),
    ...valuesOf(fact),
    ...(owner === null ? {} : { owner }),
    ...(domains.length === 0 ? {} : { domains: [...domainNames], domain_ids: [...domains] }),
    ...(fields.length === 0 ? {} : { fields: fields.slice(0, FIELDS_MAX) }),
  };
  const more: MetadataObject[] = [];
  for (let start = FIELDS_MAX; start < fields.length; start += FIELDS_MAX) {
    more.push({ ...key, fields: fields.slice(start, start + FIELDS_MAX) });
  }
  return [object, ...more];
};

/** Reads pages until one is not full. */
async function* allPages(
  read: (after: ExportedFact | undefined) => Promise<readonly ExportedFact[]>,
): AsyncGenerator<readonly ExportedFact[]> {
  let after: ExportedFact | undefined;
  for (;;) {
    const page = await read(after);
    yield page;
    if (page.length < EXPORT_PAGE) return;
    after = page.at(-1);
  }
}

export function createExportMetadata({ metadataExport, audit }: ExportMetadataDependencies): ExportMetadata {
  /** Objects of a type whose ids begin with the prefix, and possibly other tables (`tableBeginning`). */
  async function* facts(principal: Principal, { type, prefix = '', all = false }: MetadataExportQuery) {
    const page = { tenantId: principal.tenant.id, withAllFields: all };
    const within = tableBeginning(prefix);
    if (type !== 'DATAMAP' && within !== undefined) {
      yield* allPages((after) => metadataExport.tables({ ...page, after, within }));
    }
    if (type !== undefined && type !== 'DATAMAP') return;
    const visibleTo = seesAllDatamaps(principal) ? undefined : principal.id;
    yield* allPages((after) => metadataExport.datamaps({ ...page, after, idPrefix: prefix, visibleTo }));
  }

  async function* pages(principal: Principal, query: MetadataExportQuery): ExportedPages {
    const { type, prefix = '', all = false } = query;
    for await (const page of facts(principal, query)) {
      const chosen = page.filter(
        (fact) =>
          (type === undefined || fact.type === type) && (all || hasMetadata(fact)) && idOf(fact).startsWith(prefix),
      );
      yield chosen.flatMap(objectsOf);
    }
  }

  return async (caller, input) => {
    const { type, prefix, format = 'json', all = false } = input;
    const metadata = {
      format,
      all,
      ...(type === undefined ? {} : { type }),
      ...(prefix === undefined ? {} : { prefix }),
    };
    await audit.append(auditOf(caller, { action: 'EXPORT_METADATA', target: prefix ?? '', metadata }));
    return pages(caller.principal, input);
  };
}
