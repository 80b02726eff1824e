import { describe, expect, it } from '@jest/globals';
import { type MetadataObject, tagKey } from '@sluice/contract';
import type { FactMetadata, FieldMetadata } from '@sluice/store/catalog';
import fc from 'fast-check';
import { applyMetadata } from './apply-metadata.ts';

const DOMAINS = ['0a', '0b', '0c', '0d'].map((end) => `00000000-0000-4000-8000-0000000000${end}`);

const cased = (items: readonly string[]) => fc.constantFrom(...items.flatMap((item) => [item, item.toUpperCase()]));
const domains = fc.array(cased(DOMAINS), { maxLength: 5 });
const tags = fc.array(cased(['pii', 'raw', 'größe', 'e\u0301', '\u00e9']), { maxLength: 5 });
const description = fc.constantFrom(null, '', 'one', 'two');

const listChange = (name: 'tags' | 'domains', list: fc.Arbitrary<string[]>) =>
  fc.oneof(
    fc.record({ [name]: list }),
    fc.record({ [`add_${name}`]: list, [`remove_${name}`]: list }, { requiredKeys: [] }),
  );
const described = fc.record({ description }, { requiredKeys: [] });
const field = fc
  .tuple(fc.constantFrom('a', 'b'), described, listChange('tags', tags))
  .map(([name, ...parts]) => Object.assign({ name }, ...parts) as { name: string });
const fields = fc.uniqueArray(field, { maxLength: 2, selector: ({ name }) => name });

const object = fc
  .tuple(
    described,
    listChange('tags', tags),
    listChange('domains', domains),
    fc.record({ fields }, { requiredKeys: [] }),
  )
  .map((parts) => Object.assign({ type: 'TABLE', id: 'c.s.t' }, ...parts) as MetadataObject);

const EMPTY: FactMetadata = {
  displayName: null,
  description: null,
  tags: [],
  domains: [],
  owner: null,
  fields: new Map(),
};

interface Model {
  description: string | null;
  /** The first spelling of each tag, by its key. */
  tags: Map<string, string>;
}

const model = (): Model => ({ description: null, tags: new Map() });

type Lists = { readonly [key: string]: readonly string[] | undefined };

/** Reference implementation: an ordered set, from which items are removed and to which items are added. */
function changed(before: Map<string, string>, all: Lists, name: 'tags' | 'domains', keyOf: (item: string) => string) {
  const replaced = all[name];
  const after = new Map(replaced === undefined ? before : []);
  for (const item of all[`remove_${name}`] ?? []) after.delete(keyOf(item));
  for (const item of replaced ?? all[`add_${name}`] ?? []) if (!after.has(keyOf(item))) after.set(keyOf(item), item);
  return after;
}

function applyToModel(own: Model, change: { readonly description?: string | null | undefined }): void {
  if (change.description !== undefined) own.description = change.description === '' ? null : change.description;
  own.tags = changed(own.tags, change as Lists, 'tags', tagKey);
}

const plain = ({ description, tags }: FieldMetadata) => ({ description, tags: [...tags] });
const plainModel = ({ description, tags }: Model) => ({ description, tags: [...tags.values()] });

describe('applyMetadata', () => {
  it('changes a table, its domains and its fields like a model of ordered sets and nullable strings', () => {
    fc.assert(
      fc.property(fc.array(object, { minLength: 1, maxLength: 6 }), (objects) => {
        const own = model();
        let ownDomains = new Map<string, string>();
        const ofFields = new Map<string, Model>();
        let fact = EMPTY;
        for (const each of objects) {
          fact = applyMetadata(fact, each);
          applyToModel(own, each);
          ownDomains = changed(ownDomains, each as unknown as Lists, 'domains', (id) => id.toLowerCase());
          for (const one of each.fields ?? []) {
            const its = ofFields.get(one.name) ?? model();
            applyToModel(its, one);
            ofFields.set(one.name, its);
          }
        }
        expect(plain(fact)).toEqual(plainModel(own));
        expect(fact.domains).toEqual([...ownDomains.keys()]);
        expect([...fact.fields].map(([name, its]) => [name, plain(its)])).toEqual(
          [...ofFields].map(([name, its]) => [name, plainModel(its)]),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('changes nothing when an object adds what exists already, in any order', () => {
    fc.assert(
      fc.property(object, (each) => {
        const once = applyMetadata(EMPTY, each);
        const again = applyMetadata(once, {
          type: 'TABLE',
          id: 'c.s.t',
          add_tags: once.tags.toReversed(),
          add_domains: once.domains.map((id) => id.toUpperCase()).toReversed(),
          remove_domains: [],
        });
        expect(again).toEqual(once);
      }),
    );
  });
});
