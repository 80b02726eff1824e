/** A column as Trino describes it: readers should use only `typeSignature`. */
interface FakeColumn {
  readonly name: string;
  readonly typeSignature: object;
}

/** One page of a result; `rows` is the text of `data`, so that a test controls every byte of it. */
export interface FakePage {
  readonly rows?: string;
  readonly error?: object;
  /** Default: RUNNING, and FINISHED (or FAILED, with an error) on the last page. */
  readonly state?: string;
  /** The first pages of many results have no columns. */
  readonly isWithoutColumns?: boolean;
}

export interface FakeResult {
  readonly columns: readonly FakeColumn[];
  /** The response to the submission itself, which says QUEUED by default. Without pages it is the only one. */
  readonly submission?: FakePage;
  readonly pages: readonly FakePage[];
}

export const signature = (rawType: string, ...args: readonly (number | object)[]): object => ({
  rawType,
  arguments: args.map((value) => (typeof value === 'number' ? { kind: 'LONG', value } : { kind: 'TYPE', value })),
});

export const VARCHAR = signature('varchar', 2_147_483_647);

export const rowSignature = (fields: Readonly<Record<string, object>>): object => ({
  rawType: 'row',
  arguments: Object.entries(fields).map(([name, typeSignature]) => ({
    kind: 'NAMED_TYPE',
    value: { fieldName: { name }, typeSignature },
  })),
});

const NUMBERED_COLUMNS: readonly FakeColumn[] = [
  { name: 'id', typeSignature: signature('bigint') },
  { name: 'label', typeSignature: VARCHAR },
];

/** Rows of `id` and `label`, which is `row <id>`, in pages of this many each. */
export function numberedResult(rows: number, rowsEach: number): FakeResult {
  const pages: FakePage[] = [];
  for (let from = 0; from < rows; from += rowsEach)
    pages.push({ rows: numberedRows(from, Math.min(from + rowsEach, rows)) });
  return { columns: NUMBERED_COLUMNS, pages: [...pages, {}] };
}

export const numberedRows = (from: number, end: number): string =>
  JSON.stringify(Array.from({ length: end - from }, (_, index) => [from + index, `row ${from + index}`]));

/** Returns the content of a JSON download of a numbered result between its brackets. */
export const numberedText = (rows: number): string =>
  Array.from({ length: rows }, (_, id) => `{"id":${id},"label":"row ${id}"}`).join(',\n');
