import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';
import { useKnownTags } from '../api/use-known-tags.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { datamapPath } from '../router/object-paths.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { DomainField } from '../ui/domain-field.tsx';
import { Failure } from '../ui/failure.tsx';
import { Note, Section, Stack } from '../ui/layout.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { TagField } from '../ui/tag-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import { type DraftProblem, type DraftQuery, type ItemDraft, idOfTitle } from './item-draft.ts';
import './item-form.css';

interface ItemFormProps {
  readonly draft: ItemDraft;
  /** Problems that are shown: after the first try to save. */
  readonly problems: readonly DraftProblem[];
  readonly onChange: (draft: ItemDraft) => void;
}

/** Fields of an item: its title, description, tags, license, terms of use and queries. */
export function ItemForm({ draft, problems, onChange }: ItemFormProps) {
  const { t } = useTranslation();
  const change = (part: Partial<ItemDraft>): void => onChange({ ...draft, ...part });
  const problem = (...kinds: readonly DraftProblem[]): string | undefined => {
    const found = kinds.find((kind) => problems.includes(kind));
    return found === undefined ? undefined : t(`item.problem.${found}`);
  };
  const queriesProblem = problem('queries', 'name', 'same-name', 'not-published');
  const isNew = draft.version === 0;
  const isAdmin = useCurrentUser().permissions.includes('admin');
  const knownTags = useKnownTags();
  const changeTitle = (title: string): void =>
    change({ title, ...(isNew && draft.id === idOfTitle(draft.title) ? { id: idOfTitle(title) } : {}) });
  return (
    <Stack width="text">
      <TextField label={t('item.title')} value={draft.title} onChange={changeTitle} problem={problem('title')} />
      {isNew && (
        <TextField
          label={t('item.id')}
          description={t('item.id.about')}
          value={draft.id}
          onChange={(id) => change({ id })}
          problem={problem('id')}
        />
      )}
      <TextField
        label={t('property.description')}
        value={draft.description}
        onChange={(description) => change({ description })}
        description={t('property.description.about')}
        lines={5}
      />
      <TagField
        label={t('property.tags')}
        description={t('steward.edit.tags.about')}
        tags={draft.tags}
        suggestions={knownTags}
        removeLabelOf={(tag) => t('steward.edit.tags.remove', { tag })}
        onChange={(tags) => change({ tags })}
      />
      <DomainField chosen={draft.domains} onChange={(domains) => change({ domains })} />
      <TextField
        label={t('item.license')}
        description={t('item.license.about')}
        value={draft.license}
        maxLength={200}
        autoComplete="off"
        onChange={(license) => change({ license })}
      />
      <TextField
        label={t('item.terms')}
        description={t('item.terms.about')}
        value={draft.termsOfUse}
        maxLength={20_000}
        lines={4}
        onChange={(termsOfUse) => change({ termsOfUse })}
      />
      {!isNew && isAdmin && (
        <TextField
          label={t('label.owner')}
          description={t('item.owner.about')}
          value={draft.owner}
          maxLength={320}
          autoComplete="off"
          onChange={(owner) => change({ owner })}
          problem={problem('owner')}
        />
      )}
      <Section title={t('market.queries.title')}>
        <Note>{t('item.queries.about')}</Note>
        {queriesProblem !== undefined && (
          <p className="item-form__problem" role="alert">
            {queriesProblem}
          </p>
        )}
        <QueryFields draft={draft} onChange={onChange} />
        <DatamapPicker
          chosen={draft.queries.map(({ datamapId }) => datamapId)}
          onAdd={(query) => change({ queries: [...draft.queries, query] })}
        />
      </Section>
    </Stack>
  );
}

function QueryFields({ draft, onChange }: Pick<ItemFormProps, 'draft' | 'onChange'>) {
  const { t } = useTranslation();
  const { queries } = draft;
  const change = (next: ItemDraft['queries']): void => onChange({ ...draft, queries: next });
  return (
    <ol className="item-form__queries">
      {queries.map(({ name, datamapId, isPublished }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item may have a datamap twice, under two names
        <li key={`${index} ${datamapId}`} className="item-form__query">
          <TextField
            label={t('item.query.name', { number: index + 1 })}
            description={isPublished ? undefined : t('item.query.not-published')}
            value={name}
            onChange={(text) => change(queries.map((each, at) => (at === index ? { ...each, name: text } : each)))}
          />
          <Link to={datamapPath(datamapId)}>{t('item.query.datamap')}</Link>
          <IconButton
            icon="close"
            label={t('item.query.remove', { number: index + 1 })}
            onPress={() => change(queries.filter((_, at) => at !== index))}
          />
        </li>
      ))}
    </ol>
  );
}

/** Datamaps that are listed. Words find the others. */
const LISTED_MAX = 10;
const SEARCH_CHARACTERS_MAX = 700;

interface DatamapPickerProps {
  /** Ids of the datamaps that are chosen already. */
  readonly chosen: readonly string[];
  readonly onAdd: (query: DraftQuery) => void;
}

/** List of published datamaps, with a search. */
function DatamapPicker({ chosen, onAdd }: DatamapPickerProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [searchText, setSearchText] = useState('');
  const q = searchText.trim();
  const { data = [], error } = useQuery({
    queryKey: QUERY_KEYS.publishedDatamaps(q),
    queryFn: async ({ signal }) => {
      // Drafts of the user are found too, so more are asked for than are listed.
      const body = { ...(q === '' ? {} : { q }), size: LISTED_MAX * 3, advance_options: { type: 'DATAMAP' as const } };
      const page = await client.api.searchDatamaps({ body, signal });
      return page.data.filter(({ datamap }) => datamap.state === 'PUBLISHED');
    },
    placeholderData: keepPreviousData,
  });
  const offered = data.filter(({ id }) => !chosen.includes(id)).slice(0, LISTED_MAX);
  return (
    <Stack width="text">
      <Failure error={error} />
      <SearchField
        hasLabel
        label={t('item.datamaps')}
        description={t('item.datamaps.about')}
        maxLength={SEARCH_CHARACTERS_MAX}
        searchText={searchText}
        onSearch={setSearchText}
      />
      <ul className="item-form__offers">
        {offered.map(({ id, datamap }) => (
          <li key={id}>
            <Button
              size="s"
              icon="plus"
              aria-label={t('item.datamaps.add', { name: visibleText(datamap.display_name) })}
              onPress={() =>
                onAdd({
                  name: datamap.display_name.slice(0, 256),
                  datamapId: id,
                  parameters: datamap.parameters.map(({ name }) => name),
                  isPublished: true,
                })
              }
            >
              <VisibleText text={datamap.display_name} />
            </Button>
          </li>
        ))}
      </ul>
    </Stack>
  );
}
