import { yamlNodeAt } from '../api/yaml-node-at.ts';

/** Returns the keys of a path such as `users[1].roles[0]`. */
const keysOf = (path: string): readonly (string | number)[] =>
  [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([key, index]) => (index === undefined ? key : Number(index)));

/**
 * Returns the line of each path in a file of YAML or JSON, or of the nearest value around it. Empty: the text is neither.
 */
export async function linesOfPaths(text: string, paths: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const { contents, errors } = yaml.parseDocument(text, { uniqueKeys: false, lineCounter: lines, prettyErrors: false });
  if (contents === null || errors.length > 0) return new Map();
  const lineOf = (path: string): number => lines.linePos(yamlNodeAt(yaml, contents, keysOf(path)).range?.[0] ?? 0).line;
  return new Map(paths.map((path) => [path, lineOf(path)]));
}
