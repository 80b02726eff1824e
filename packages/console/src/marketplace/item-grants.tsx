import type { StreamOperationTypes } from '@sluice/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { EXPIRY_CHOICES, type ExpiryChoice, expiryOf } from '../ui/expiry.ts';
import { Failure } from '../ui/failure.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import './item-form.css';

type Grant = StreamOperationTypes['getMarketplaceGrants']['result']['grants'][number];

const KINDS = ['user', 'role', 'client'] as const;
const CHOICES = EXPIRY_CHOICES.filter((choice) => choice !== 'date');

const keyOf = ({ kind, name }: Grant): string => `${kind} ${name.toLowerCase()}`;
const isSame = (one: readonly Grant[], other: readonly Grant[]): boolean =>
  JSON.stringify(one.map((each) => [keyOf(each), each.expires_ts ?? null]).sort()) ===
  JSON.stringify(other.map((each) => [keyOf(each), each.expires_ts ?? null]).sort());

interface ItemGrantsProps {
  readonly id: string;
  /** Called with the id of the request that stored the grants. */
  readonly onSaved: (requestId: string) => void;
}

/** Who may download an item, to change. Says who loses access before it is saved. */
export function ItemGrants({ id, onSaved }: ItemGrantsProps) {
  const { t, formatTime } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const queryKey = ['item-grants', id];
  const {
    data: stored,
    error,
    refetch,
  } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await client.stream.getMarketplaceGrants({ params: { id }, signal })).grants,
    staleTime: 0,
  });
  const [edited, setEdited] = useState<readonly Grant[]>();
  const grants = edited ?? stored ?? [];
  const { start, isRunning, failure } = useAction(async () => {
    const { grants: current } = await client.stream.getMarketplaceGrants({ params: { id } });
    if (stored !== undefined && !isSame(current, stored)) {
      await refetch();
      throw new Error(t('item.grants.changed'));
    }
    let requestId = '';
    const result = await client.stream.putMarketplaceGrants({
      params: { id },
      body: { grants: [...grants] },
      onResponse: ({ headers }) => {
        requestId = headers.get('x-request-id') ?? '';
      },
    });
    queries.setQueryData(queryKey, result.grants);
    setEdited(undefined);
    onSaved(requestId);
  });
  if (stored === undefined) return <Failure error={error ?? undefined} />;
  const kept = new Set(grants.map(keyOf));
  const lost = stored.filter((grant) => !kept.has(keyOf(grant)));
  return (
    <section className="item-form" aria-label={t('item.grants')}>
      <h2 className="item-form__section">{t('item.grants')}</h2>
      <p className="item-form__about">{t('item.grants.about')}</p>
      <Failure error={failure} />
      <DataTable
        label={t('item.grants')}
        items={grants}
        idOf={keyOf}
        empty={<p className="item-form__about">{t('item.grants.none')}</p>}
        columns={[
          { id: 'name', title: t('item.grants.name'), cell: ({ name }) => <VisibleText text={name} /> },
          { id: 'kind', title: t('item.grants.kind'), cell: ({ kind }) => t(`item.grants.kind.${kind}`) },
          {
            id: 'end',
            title: t('expiry'),
            cell: ({ expires_ts: end }) => (end == null ? t('expiry.never') : formatTime(end)),
          },
          {
            id: 'remove',
            title: t('item.grants.actions'),
            cell: (grant) => (
              <Button
                size="s"
                aria-label={t('item.grants.remove', { name: visibleText(grant.name) })}
                onPress={() => setEdited(grants.filter((each) => keyOf(each) !== keyOf(grant)))}
              >
                {t('item.grants.remove.short')}
              </Button>
            ),
          },
        ]}
      />
      <NewGrant onAdd={(grant) => setEdited([...grants.filter((each) => keyOf(each) !== keyOf(grant)), grant])} />
      {lost.length > 0 && (
        <p role="status">
          {t('item.grants.lost', { count: lost.length, names: lost.map(({ name }) => visibleText(name)).join(', ') })}
        </p>
      )}
      {edited !== undefined && (
        <div className="item-form__row">
          <Button kind="primary" isDisabled={isRunning || isSame(grants, stored)} onPress={() => void start()}>
            {t('item.grants.save')}
          </Button>
          <Button isDisabled={isRunning} onPress={() => setEdited(undefined)}>
            {t('item.grants.reset')}
          </Button>
        </div>
      )}
    </section>
  );
}

function NewGrant({ onAdd }: { readonly onAdd: (grant: Grant) => void }) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<Grant['kind']>('user');
  const [name, setName] = useState('');
  const [choice, setChoice] = useState<ExpiryChoice>('days-90');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const end = expiryOf(choice, '', Date.now());
    if (name.trim() === '' || end === undefined) return;
    onAdd({ kind, name: name.trim(), expires_ts: end });
    setName('');
  };
  return (
    <form className="item-form__row" onSubmit={submit}>
      <SelectField
        label={t('item.grants.kind')}
        value={kind}
        choices={KINDS.map((id) => ({ id, label: t(`item.grants.kind.${id}`) }))}
        onChange={setKind}
      />
      <TextField label={t(`item.grants.name.${kind}`)} value={name} onChange={setName} />
      <SelectField
        label={t('expiry')}
        value={choice}
        choices={CHOICES.map((id) => ({ id, label: t(`expiry.${id}`) }))}
        onChange={setChoice}
      />
      <Button type="submit" icon="plus" isDisabled={name.trim() === ''}>
        {t('item.grants.add')}
      </Button>
    </form>
  );
}
