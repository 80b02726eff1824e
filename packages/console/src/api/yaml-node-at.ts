import type { Node } from 'yaml';

type Yaml = typeof import('yaml');

/** Returns the key or the value that a path leads to, or the last one on the way that exists. */
export function yamlNodeAt(yaml: Yaml, root: Node, keys: readonly PropertyKey[]): Node {
  let found = root;
  let value: unknown = root;
  for (const key of keys) {
    if (yaml.isMap<Node>(value)) {
      const pair = value.items.find((each) => yaml.isScalar(each.key) && each.key.value === key);
      if (pair === undefined) break;
      found = pair.key;
      value = pair.value;
    } else {
      value = yaml.isSeq(value) ? value.items[Number(key)] : undefined;
      if (!yaml.isNode(value)) break;
      found = value;
    }
  }
  return found;
}
