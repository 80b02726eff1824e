import type { FactType } from '@sluice/contract';

/** Reference to a fact in a request. Names are spelled as in the engine. */
export type FactReference =
  | { readonly type: 'DATAMAP'; readonly id: string }
  | {
      readonly type: 'TABLE' | 'VIEW';
      readonly catalog: string;
      readonly schema: string;
      readonly name: string;
    };

/** Returns a key that is equal for references to the same thing, also for a table and a view of one name. */
export const referenceKey = (reference: FactReference): string =>
  reference.type === 'DATAMAP'
    ? `datamap ${reference.id.toLowerCase()}`
    : JSON.stringify([reference.catalog, reference.schema, reference.name]);

/** User who answers questions about a table, view or domain. */
export interface MetadataOwner {
  readonly id: string;
  /** E-mail. */
  readonly name: string;
}

export interface FieldMetadata {
  readonly description: string | null;
  readonly tags: readonly string[];
}

/** Descriptive metadata of one fact. */
export interface FactMetadata {
  /** Null for tables and views. */
  readonly displayName: string | null;
  readonly description: string | null;
  readonly tags: readonly string[];
  /** Ids, in the order of the request. */
  readonly domains: readonly string[];
  /** Null: none. Datamaps have owners of another kind, who have rights. */
  readonly owner: MetadataOwner | null;
  /** Requested fields that exist, whether or not they have metadata. */
  readonly fields: ReadonlyMap<string, FieldMetadata>;
}

export interface FoundFact extends FactMetadata {
  readonly factId: string;
  readonly type: FactType;
  /** Increases with every change; the ETag is made from it. */
  readonly version: number;
  /** Only for datamaps. */
  readonly status?: DatamapStatus;
}

/** Properties that decide who may read and change a datamap. */
interface DatamapStatus {
  readonly state: 'DRAFT' | 'IN_PROGRESS' | 'PUBLISHED' | 'ARCHIVED';
  readonly ownerId: string;
  readonly stewardId: string | null;
}

/** New values of one fact. Absent members keep their value. */
export interface FactWrite {
  readonly factId: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly displayName?: string;
  /** All domains, in order. */
  readonly domains?: readonly string[];
  readonly owner?: MetadataOwner | null;
  /** Changed fields only. */
  readonly fields: ReadonlyMap<string, FieldMetadata>;
}
