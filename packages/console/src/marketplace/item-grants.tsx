import { useTranslation } from '../i18n/translate.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConflictPanel } from '../ui/conflict-panel.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Failure, Loaded } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { Note, Row, Section } from '../ui/layout.tsx';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import {
  endOf,
  type GrantEdits,
  hasGrantEdits,
  type ItemGrant,
  type ListedGrant,
  listGrants,
  lossesOfGrants,
  NO_GRANT_EDITS,
  recipientOf,
  undone,
  withGrant,
  withoutGrant,
} from './grant-edits.ts';
import { NewGrant } from './new-grant.tsx';
import { useGrantEdits, useItemGrants } from './use-grant-edits.ts';
import './item-form.css';

interface ItemGrantsProps {
  readonly id: string;
  /** Called with the id of the request that stored the grants. */
  readonly onSaved: (requestId: string) => void;
}

/** Form for the grants of an item. Says who loses access before it is saved. */
export function ItemGrants({ id, onSaved }: ItemGrantsProps) {
  const { t } = useTranslation();
  const grants = useItemGrants(id);
  return (
    <Section title={t('item.grants')} width="text">
      <Note>{t('item.grants.about')}</Note>
      <Loaded query={grants}>
        {(read) => (
          <GrantsForm id={id} read={read} refetch={async () => (await grants.refetch()).data} onSaved={onSaved} />
        )}
      </Loaded>
    </Section>
  );
}

function GrantsForm(props: Parameters<typeof useGrantEdits>[0]) {
  const { t } = useTranslation();
  const { edits, conflicts, saving, change, resolve, save } = useGrantEdits(props);
  const { isRunning, failure } = saving;
  const { id } = props;
  const stored = props.read.value;
  return (
    <>
      <Failure error={failure} />
      <ConflictPanel
        about={t('item.grants.changed')}
        conflicts={conflicts.map((conflict) => ({
          key: conflict.key,
          what: visibleText((conflict.mine ?? conflict.theirs)?.name ?? conflict.key),
          mine: <GrantEnd grant={conflict.mine} />,
          theirs: <GrantEnd grant={conflict.theirs} />,
          onChoose: (choice) => resolve(conflict, choice),
        }))}
      />
      <GrantTable
        grants={listGrants(stored, edits)}
        onRemove={(grant) => change(withoutGrant(edits, stored, recipientOf(grant)))}
        onUndo={(grant) => change(undone(edits, recipientOf(grant)))}
      />
      <NewGrant id={id} onAdd={(grant) => change(withGrant(edits, grant))} />
      <GrantLosses stored={stored} edits={edits} />
      {hasGrantEdits(edits) && (
        <>
          <p className="item-form__unsaved" role="status">
            {t('item.grants.unsaved')}
          </p>
          <Row>
            <Button kind="primary" isDisabled={isRunning || conflicts.length > 0} onPress={() => save()}>
              {t('item.grants.save')}
            </Button>
            <Button isDisabled={isRunning} onPress={() => change(NO_GRANT_EDITS)}>
              {t('item.grants.reset')}
            </Button>
          </Row>
        </>
      )}
    </>
  );
}

/** End of a grant. Undefined: there is no grant. */
function GrantEnd({ grant }: { readonly grant: ItemGrant | undefined }) {
  const { t, formatTime } = useTranslation();
  if (grant === undefined) return t('steward.conflict.none');
  return grant.expires_ts == null ? t('expiry.never') : formatTime(grant.expires_ts);
}

function GrantLosses({ stored, edits }: { readonly stored: readonly ItemGrant[]; readonly edits: GrantEdits }) {
  const { t, formatTime } = useTranslation();
  const { removed, sooner } = lossesOfGrants(stored, edits, Date.now());
  const losses = [
    ...removed.map(({ kind, name }) => t(`item.impact.grant.${kind}`, { name: visibleText(name) })),
    ...sooner.map(({ name, expires_ts: end }) =>
      t('impact.grant-sooner', { name: visibleText(name), time: formatTime(end ?? 0) }),
    ),
  ];
  return losses.length === 0 ? null : <Impact losses={losses} />;
}

interface GrantTableProps {
  readonly grants: readonly ListedGrant[];
  readonly onRemove: (grant: ItemGrant) => void;
  /** Called to take back a change that is not saved. */
  readonly onUndo: (grant: ItemGrant) => void;
}

function GrantTable({ grants, onRemove, onUndo }: GrantTableProps) {
  const { t } = useTranslation();
  return (
    <DataTable
      label={t('item.grants')}
      items={grants}
      idOf={({ grant }) => recipientOf(grant)}
      empty={<p className="item-form__none">{t('item.grants.none')}</p>}
      columns={[
        { id: 'name', title: t('item.grants.name'), cell: (listed) => <Recipient listed={listed} /> },
        {
          id: 'kind',
          title: t('item.grants.kind'),
          isTerm: true,
          cell: ({ grant }) => t(`grantee.${grant.kind}`),
        },
        {
          id: 'end',
          title: t('expiry'),
          cell: ({ grant }) => (
            <>
              <GrantEnd grant={grant} />{' '}
              {endOf(grant) <= Date.now() && <Badge tone="danger">{t('item.grants.ended')}</Badge>}
            </>
          ),
        },
        {
          id: 'remove',
          title: t('item.grants.actions'),
          cell: ({ grant, change }) => {
            const name = visibleText(grant.name);
            return change === undefined ? (
              <Button
                size="s"
                kind="danger-quiet"
                aria-label={t('item.grants.remove', { name })}
                onPress={() => onRemove(grant)}
              >
                {t('item.grants.remove.short')}
              </Button>
            ) : (
              <Button size="s" aria-label={t('item.grants.undo', { name })} onPress={() => onUndo(grant)}>
                {t('item.grants.undo.short')}
              </Button>
            );
          },
        },
      ]}
    />
  );
}

function Recipient({ listed: { grant, change } }: { readonly listed: ListedGrant }) {
  const { t } = useTranslation();
  return (
    <>
      {change === 'removed' ? (
        <del>
          <VisibleText text={grant.name} />
        </del>
      ) : (
        <VisibleText text={grant.name} />
      )}{' '}
      {change !== undefined && <Badge tone="warning">{t(`item.grants.change.${change}`)}</Badge>}
    </>
  );
}
