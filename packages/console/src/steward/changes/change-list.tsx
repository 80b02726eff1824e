import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QUERY_KEYS } from '../../api/query-keys.ts';
import { useAction } from '../../api/use-action.ts';
import { useClient, type Versioned } from '../../api/use-client.ts';
import { type NameOfDomain, useDomainNames } from '../../api/use-domain-names.ts';
import { useTranslation } from '../../i18n/translate.tsx';
import { AuditLogLink, useChangeNotice } from '../../ui/audit-log-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Pager } from '../../ui/data-table.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure, Loaded } from '../../ui/failure.tsx';
import { Note, Row } from '../../ui/layout.tsx';
import { VisibleText, visibleText } from '../../ui/visible-text.tsx';
import { type ChangedObject, type ChangedValue, type RecordedChange, revertedValues } from './revert-change.ts';
import { sendRevert } from './send-revert.ts';
import './change-list.css';

const PAGE_SIZE = 20;
/** Longest beginning of a value in the list. */
const VALUE_CHARACTERS = 300;

interface ChangeListProps {
  readonly object: ChangedObject;
  /** The object as the page shows it: a revert of an older one is rejected. */
  readonly current: Versioned<unknown>;
  /** Reads the object again. */
  readonly refetch: () => Promise<unknown>;
}

/** Changes of an object, last one first: who, when, the values before and after, and a way back. */
export function ChangeList({ object, current, refetch }: ChangeListProps) {
  const { t } = useTranslation();
  const client = useClient();
  const nameOf = useDomainNames();
  const notice = useChangeNotice();
  const [from, setFrom] = useState(0);
  const [chosen, setChosen] = useState<RecordedChange>();
  const { type, id } = object;
  const key = QUERY_KEYS.metadataChanges(id);
  const page = useQuery({
    // The version of the object is part of the key, so that a change on this page is listed at once.
    queryKey: [...key, current.entityTag, from],
    queryFn: ({ signal }) => client.api.listMetadataChanges({ query: { type, id, from, size: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const revert = useAction(
    (change: RecordedChange, options) => sendRevert(client, { object, change, current }, options),
    {
      invalidates: [key],
      async onDone({ requestId }) {
        setChosen(undefined);
        notice(t('describe.changes.reverted'), { requestId });
        await refetch();
      },
    },
  );
  return (
    <Loaded query={page}>
      {({ total, data }) => (
        <>
          {total === 0 && <Note>{t('describe.changes.none')}</Note>}
          <ol className="change-list">
            {data.map((change) => (
              <li key={change.version} className="change-list__one">
                <ChangeHead change={change} />
                <Values values={change.changes} nameOf={nameOf} />
                {revertedValues(change).length > 0 && (
                  <Row>
                    <Button
                      size="s"
                      aria-label={t('describe.changes.revert-version', { version: change.version })}
                      onPress={() => setChosen(change)}
                    >
                      {t('describe.changes.revert')}
                    </Button>
                  </Row>
                )}
              </li>
            ))}
          </ol>
          <Pager label={t('describe.changes')} from={from} size={PAGE_SIZE} total={total} onMove={setFrom} />
          <Dialog
            title={t('describe.changes.revert.title')}
            isOpen={chosen !== undefined}
            width="l"
            onClose={() => setChosen(undefined)}
          >
            {chosen !== undefined && (
              <>
                <p>{t('describe.changes.revert.about')}</p>
                <Values
                  values={revertedValues(chosen).map((value) => ({
                    ...value,
                    after: value.before,
                    before: value.after,
                  }))}
                  nameOf={nameOf}
                />
                <Failure error={revert.failure} onRetry={refetch} retryLabel={t('action.reload')} />
              </>
            )}
            <DialogActions>
              <Button onPress={() => setChosen(undefined)}>{t('action.cancel')}</Button>
              <Button
                kind="primary"
                isDisabled={revert.isRunning}
                onPress={() => chosen !== undefined && void revert.start(chosen)}
              >
                {t('describe.changes.revert.now')}
              </Button>
            </DialogActions>
          </Dialog>
        </>
      )}
    </Loaded>
  );
}

function ChangeHead({ change }: { readonly change: RecordedChange }) {
  const { t, formatTime } = useTranslation();
  return (
    <p className="change-list__head">
      <strong>
        <VisibleText text={change.changed_by} />
      </strong>
      <span>{formatTime(change.changed_ts)}</span>
      <span>{t('describe.changes.version', { version: change.version })}</span>
      {change.request_id !== null && <AuditLogLink search={{ requestId: change.request_id }} />}
    </p>
  );
}

/** Returns the text of a value: of a list with commas, and of domains by their names. */
function textOf(value: unknown, property: ChangedValue['property'], nameOf: NameOfDomain): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.map((each) => (property === 'domains' ? nameOf(each) : each)).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface ValuesProps {
  readonly values: readonly ChangedValue[];
  readonly nameOf: NameOfDomain;
}

/** Changed properties with their values before and after. */
function Values({ values, nameOf }: ValuesProps) {
  const { t } = useTranslation();
  const shown = (value: unknown, property: ChangedValue['property']) => {
    const text = textOf(value, property, nameOf);
    if (text === '') return t('steward.conflict.none');
    return (
      <VisibleText
        text={text.length > VALUE_CHARACTERS ? `${text.slice(0, VALUE_CHARACTERS)} …` : text}
        lines="preserve"
      />
    );
  };
  return (
    <ul className="change-list__values">
      {values.map(({ field, property, before, after }) => {
        const name = t(`describe.property.${property}`);
        return (
          <li key={JSON.stringify([field, property])} className="change-list__value">
            <span className="change-list__property">
              {field === null ? name : t('steward.conflict.field', { property: name, field: visibleText(field) })}
            </span>
            <span className="change-list__before">
              <span className="visually-hidden">{t('describe.changes.before')}</span>
              {shown(before, property)}
            </span>
            <span className="change-list__after">
              <span className="visually-hidden">{t('describe.changes.after')}</span>
              {shown(after, property)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
