import { type SqlDialect, SqlScanner } from '@sluice/contract/sql';

/** Parameters of a statement. */
export interface TextParameters {
  /** Names without the dollar sign, each once, in order of their first use. */
  readonly names: readonly string[];
  /** Marks that the hosts reject, such as `$1` and `?`. */
  readonly rejected: readonly string[];
}

/** Most names that a request may have. More are not listed. */
const NAMES_MAX = 1_000;
const REJECTED_MAX = 5;
const NAME = /^\$[a-z_][a-z0-9_]{0,127}$/;
const MAY_HAVE_PARAMETERS = /[$?]/;

export const NO_PARAMETERS: TextParameters = { names: [], rejected: [] };

/** Finds the parameters of SQL, which are `$name` (docs/parameters.md): never in a string, a quoted name or a comment. */
export function findParameters(text: string, dialect: SqlDialect): TextParameters {
  if (!MAY_HAVE_PARAMETERS.test(text)) return NO_PARAMETERS;
  const names = new Set<string>();
  const rejected = new Set<string>();
  const scanner = new SqlScanner(text, dialect);
  while (names.size < NAMES_MAX && scanner.next()) {
    if (scanner.kind !== 'parameter') continue;
    const mark = scanner.text;
    if (NAME.test(mark)) names.add(mark.slice(1));
    else if (rejected.size < REJECTED_MAX) rejected.add(mark);
  }
  return { names: [...names], rejected: [...rejected] };
}
