import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { datamapPath } from '../router/object-paths.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { IconButton } from '../ui/button.tsx';
import { TagField } from '../ui/tag-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { DatamapPicker } from './datamap-picker.tsx';
import { DomainField } from './domain-field.tsx';
import { type DraftProblem, type ItemDraft, idOfTitle } from './item-draft.ts';
import './item-form.css';

interface ItemFormProps {
  readonly draft: ItemDraft;
  /** Problems that are shown: after the first try to save. */
  readonly problems: readonly DraftProblem[];
  readonly onChange: (draft: ItemDraft) => void;
}

/** Fields of an item: its title, description, tags and queries. */
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
  const changeTitle = (title: string): void =>
    change({ title, ...(isNew && draft.id === idOfTitle(draft.title) ? { id: idOfTitle(title) } : {}) });
  return (
    <div className="item-form">
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
        lines={5}
      />
      <TagField
        label={t('property.tags')}
        description={t('steward.edit.tags.about')}
        tags={draft.tags}
        removeLabelOf={(tag) => t('steward.edit.tags.remove', { tag })}
        onChange={(tags) => change({ tags })}
      />
      <DomainField chosen={draft.domains} onChange={(domains) => change({ domains })} />
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
      <section className="item-form" aria-label={t('market.queries.title')}>
        <h2 className="item-form__section">{t('market.queries.title')}</h2>
        <p className="item-form__about">{t('item.queries.about')}</p>
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
      </section>
    </div>
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
