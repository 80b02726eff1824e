import {
  type DeclaredParameters,
  type LinkParameters,
  limitDetails,
  type ParameterDeclaration,
  type ProblemDetail,
  type QueryParameter,
  readDeclaredParameters,
  readDeclaredStrings,
  requireValid,
} from '@sluice/contract';

/** Values for the queries of an item: of a JSON body, or the strings of a link. */
export type GivenParameters = { readonly parameters: readonly QueryParameter[] } | { readonly strings: LinkParameters };

interface ItemParameters {
  /** One value for each name, as recorded: that of the first query which declares the name. */
  readonly all: readonly QueryParameter[];
  /** Values for each query, in their order. */
  readonly byQuery: readonly (readonly QueryParameter[])[];
}

type Declarations = readonly ParameterDeclaration[];

/**
 * Reads the values for the parameters that the queries of an item declare. A value is for every query that declares its name, and must
 * fit each of these declarations. Throws `invalid_request` with every problem.
 */
export function readItemParameters(queries: readonly Declarations[], given: GivenParameters): ItemParameters {
  const byName = new Map<string, ParameterDeclaration>();
  for (const declaration of queries.flat()) {
    if (!byName.has(declaration.name)) byName.set(declaration.name, declaration);
  }
  const all = readGiven([...byName.values()], given);
  const byQuery = queries.map((declarations) => readGiven(declarations, onlyDeclared(declarations, given)));
  requireValid(limitDetails(distinct([all, ...byQuery].flatMap(({ details }) => details))));
  return { all: all.parameters, byQuery: byQuery.map(({ parameters }) => parameters) };
}

const readGiven = (declarations: Declarations, given: GivenParameters): DeclaredParameters =>
  'strings' in given
    ? readDeclaredStrings(declarations, given.strings, 'query.p')
    : readDeclaredParameters(declarations, given.parameters, 'body.parameters');

function onlyDeclared(declarations: Declarations, given: GivenParameters): GivenParameters {
  const names = new Set(declarations.map(({ name }) => name));
  return 'strings' in given
    ? { strings: Object.fromEntries(Object.entries(given.strings).filter(([name]) => names.has(name))) }
    : { parameters: given.parameters.filter(({ name }) => names.has(name)) };
}

/** Several queries may report the same problem. */
const distinct = (details: readonly ProblemDetail[]): readonly ProblemDetail[] => [
  ...new Map(details.map((detail) => [`${detail.path} ${detail.message}`, detail])).values(),
];
