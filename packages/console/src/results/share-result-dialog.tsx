import { type FormEvent, useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useNames } from '../api/use-names.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { resultPath } from '../router/object-paths.ts';
import { hrefOf } from '../router/router.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { CopiedText } from '../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Failure, Loaded } from '../ui/failure.tsx';
import { Note, Stack } from '../ui/layout.tsx';
import { announce } from '../ui/live-regions.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useDebouncedValue } from '../ui/use-debounced-value.ts';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import { type KeptResult, useKeptResult } from './use-kept-result.ts';
import './share-result-dialog.css';

type Share = NonNullable<KeptResult['shares']>[number];

const KINDS = ['user', 'role', 'client'] as const satisfies readonly Share['kind'][];
const NAME_CHARACTERS_MAX = 320;

interface ShareResultDialogProps {
  /** Undefined: the dialog is closed. */
  readonly queryId: string | undefined;
  readonly onClose: () => void;
}

/** Dialog with those who may view a kept result of the user, and the link to send to them. */
export function ShareResultDialog({ queryId, onClose }: ShareResultDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('kept.share.title')} isOpen={queryId !== undefined} onClose={onClose}>
      {queryId !== undefined && <SharedResult queryId={queryId} onClose={onClose} />}
    </Dialog>
  );
}

interface SharedResultProps {
  readonly queryId: string;
  readonly onClose: () => void;
}

function SharedResult({ queryId, onClose }: SharedResultProps) {
  const { t, formatShortTime } = useTranslation();
  const result = useKeptResult(queryId);
  return (
    <Stack>
      <Loaded query={result} waiting={<Note role="status">{t('run.reopening')}</Note>}>
        {({ expires_ts: until, shares }) => (
          <>
            <Note>{t('kept.share.about', { until: formatShortTime(until) })}</Note>
            <CopiedText text={`${location.origin}${hrefOf(resultPath(queryId))}`} label={t('kept.share.copy')} />
            <Shares queryId={queryId} shares={shares ?? []} />
          </>
        )}
      </Loaded>
      <DialogActions onClose={onClose} />
    </Stack>
  );
}

interface SharesProps {
  readonly queryId: string;
  readonly shares: readonly Share[];
}

const isSame = (one: Share, other: Share): boolean =>
  one.kind === other.kind && one.name.toLowerCase() === other.name.toLowerCase();

/** List of those who may view a result, and a form that adds one. Each change is stored at once. */
function Shares({ queryId, shares }: SharesProps) {
  const { t } = useTranslation();
  const client = useClient();
  const store = useAction(
    (next: readonly Share[]) => client.stream.shareResult({ params: { id: queryId }, body: { shares: [...next] } }),
    { invalidates: [QUERY_KEYS.keptResult(queryId)], onDone: () => announce(t('kept.share.stored')) },
  );
  return (
    <>
      {shares.length === 0 ? (
        <Note>{t('kept.share.none')}</Note>
      ) : (
        <ul className="result-shares" aria-label={t('kept.share.list')}>
          {shares.map((share) => (
            <li key={`${share.kind} ${share.name}`} className="result-shares__entry">
              <span>
                <VisibleText text={share.name} /> <Badge>{t(`grantee.${share.kind}`)}</Badge>
              </span>
              <Button
                size="s"
                kind="danger-quiet"
                isDisabled={store.isRunning}
                aria-label={t('kept.share.remove', { name: visibleText(share.name) })}
                onPress={() => void store.start(shares.filter((each) => !isSame(each, share)))}
              >
                {t('kept.share.remove.short')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <NewShare
        isRunning={store.isRunning}
        onAdd={(share) => store.start([...shares.filter((each) => !isSame(each, share)), share])}
      />
      <Failure error={store.failure} />
    </>
  );
}

interface NewShareProps {
  readonly isRunning: boolean;
  /** Resolves with whether the share is stored. */
  readonly onAdd: (share: Share) => Promise<boolean>;
}

/** Form that shares a result with a user, a role or a service account. Administrators choose from their names. */
function NewShare({ isRunning, onAdd }: NewShareProps) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<Share['kind']>('user');
  const [nameText, setNameText] = useState('');
  const name = nameText.trim();
  const { names } = useNames(kind, useDebouncedValue(name));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name !== '' && (await onAdd({ kind, name }))) setNameText('');
  };
  return (
    <form className="result-shares__new" onSubmit={(event) => void submit(event)}>
      <SelectField
        label={t('kept.share.with')}
        value={kind}
        choices={KINDS.map((id) => ({ id, label: t(`grantee.${id}`) }))}
        onChange={(next) => {
          setKind(next);
          setNameText('');
        }}
      />
      <TextField
        label={t(`kept.share.name.${kind}`)}
        value={nameText}
        maxLength={NAME_CHARACTERS_MAX}
        suggestions={names}
        onChange={setNameText}
        autoComplete="off"
      />
      <Button kind="primary" type="submit" isDisabled={isRunning || name === ''}>
        {t('kept.share.add')}
      </Button>
    </form>
  );
}
