import type { FactType } from '@sluice/contract';

/** How a request names what it means. Names are as the engine spells them. */
export type FactReference =
  | { readonly type: 'DATAMAP'; readonly id: string }
  | {
      readonly type: 'TABLE' | 'VIEW';
      readonly catalog: string;
      readonly schema: string;
      readonly name: string;
    };

/** Equal for references to the same thing, a table and a view of one name included. */
export const referenceKey = (reference: FactReference): string =>
  reference.type === 'DATAMAP'
    ? `datamap ${reference.id.toLowerCase()}`
    : JSON.stringify([reference.catalog, reference.schema, reference.name]);

export interface FieldMetadata {
  readonly description: string | null;
  readonly tags: readonly string[];
}

/** What people say of one fact. */
export interface FactMetadata {
  /** Null for tables and views. */
  readonly displayName: string | null;
  readonly description: string | null;
  readonly tags: readonly string[];
  /** Ids, in the order they were given. */
  readonly domains: readonly string[];
  /** Of the fields that were asked for and exist, whether or not anything is said of them. */
  readonly fields: ReadonlyMap<string, FieldMetadata>;
}

export interface FoundFact extends FactMetadata {
  readonly factId: string;
  readonly type: FactType;
  /** Of a datamap. */
  readonly status?: DatamapStatus;
}

/** What decides who sees and who may change a datamap. */
export interface DatamapStatus {
  readonly state: 'DRAFT' | 'IN_PROGRESS' | 'PUBLISHED' | 'ARCHIVED';
  readonly ownerId: string;
  readonly stewardId: string | null;
}

/** One fact as it shall be: what is absent stays. */
export interface FactWrite {
  readonly factId: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly displayName?: string;
  /** All of them, in order. */
  readonly domains?: readonly string[];
  /** Only those that change. */
  readonly fields: ReadonlyMap<string, FieldMetadata>;
}
