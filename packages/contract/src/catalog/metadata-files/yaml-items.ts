interface YamlOptions {
  readonly version: '1.2';
  readonly schema: 'core';
  readonly lineWidth: number;
  readonly aliasDuplicateObjects: boolean;
  readonly blockQuote: boolean;
}

/** `stringify` of the package `yaml`, which only those load who write YAML. */
type Stringify = (value: unknown, options: YamlOptions) => string;

/** Lines that the library writes in a block, which has no escapes, and reads as something else: blank ones with spaces, other line ends. */
const NOT_FOR_BLOCK = /^\s|(?:^|\n)[ \t]+(?:\n|$)|\n\n$|[\r\u0085\u2028\u2029\ufeff]/;

/** Returns whether every string of a value may be a block, in which people read and edit it best. */
function hasBlocks(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\n') || !NOT_FOR_BLOCK.test(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasBlocks);
}

/** Yields a file of metadata in YAML: its beginning, then each object as an item of its list. */
export async function* yamlItems(objects: AsyncIterable<object>, stringify: Stringify): AsyncGenerator<string> {
  // Width 0: no string is folded. Objects that occur twice are written twice.
  const options = { version: '1.2', schema: 'core', lineWidth: 0, aliasDuplicateObjects: false } as const;
  let isEmpty = true;
  for await (const object of objects) {
    // A list of one, so that each object is an item of the file's list.
    const item = stringify([object], { ...options, blockQuote: hasBlocks(object) });
    yield isEmpty ? `metadata_objects:\n${item}` : item;
    isEmpty = false;
  }
  if (isEmpty) yield 'metadata_objects: []\n';
}
