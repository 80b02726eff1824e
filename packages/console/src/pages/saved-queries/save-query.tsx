import type { FoundDatamap } from '@sluice/client';
import { useState } from 'react';
import { isInaccessible, locationIn } from '../../api/describe-error.ts';
import { QUERY_KEYS } from '../../api/query-keys.ts';
import { useAction } from '../../api/use-action.ts';
import { useClient, type Versioned } from '../../api/use-client.ts';
import type { Draft, SavedQueryReference } from '../../editor/drafts/draft.ts';
import type { DraftStore } from '../../editor/drafts/draft-store.ts';
import { useTranslation } from '../../i18n/translate.tsx';
import { inText, type TextPosition } from '../../run/run-problem.tsx';
import { Button } from '../../ui/button.tsx';
import { ConflictPanel } from '../../ui/conflict-panel.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Stack } from '../../ui/layout.tsx';
import { notify } from '../../ui/notifications.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { StatementToSave } from '../query-workspace.ts';
import { isQueryName } from './query-name.ts';
import { type QueryToSave, saveQuery, sqlOf } from './saved-query.ts';

/** A statement of a tab that is being saved. */
interface Saving extends QueryToSave {
  readonly draftId: string;
  readonly statement: StatementToSave;
  /** Whether the tab has more than the statement, which is not saved. */
  readonly isPart: boolean;
}

interface SaveQueryOptions {
  readonly store: DraftStore;
  /** Shows what is stored in a tab of its own. */
  readonly onOpen: (stored: Versioned<FoundDatamap>) => void;
  readonly onShowPosition: (statement: StatementToSave, location: TextPosition) => void;
}

/**
 * Saves the statement of a tab as a saved query: that of the tab immediately, a new one after its name is asked for. Whatever goes wrong is
 * shown in the dialog, which keeps the name that was typed.
 */
export function useSaveQuery({ store, onOpen, onShowPosition }: SaveQueryOptions) {
  const { t } = useTranslation();
  const client = useClient();
  const [asked, setAsked] = useState<Saving>();
  const [stored, setStored] = useState<Versioned<FoundDatamap>>();
  // A failure belongs to the statement that was sent, not to the next one.
  const [isSent, setSent] = useState(false);
  const close = (): void => {
    setAsked(undefined);
    setStored(undefined);
    setSent(false);
  };
  const { start, isRunning, failure } = useAction((saving: Saving) => saveQuery(client, saving), {
    invalidates: [QUERY_KEYS.savedQueries(), QUERY_KEYS.search('draft')],
    onDone({ input, result }) {
      if (result.kind === 'conflict') {
        setAsked(input);
        setStored(result.stored);
        return;
      }
      close();
      store.link(input.draftId, { name: result.name, saved: result.reference });
      notify({ tone: 'success', text: t(input.isPart ? 'saved.done.part' : 'saved.done', { name: result.name }) });
    },
  });
  const save = async (draft: Draft, statement: StatementToSave, isPart: boolean): Promise<void> => {
    const { name, saved } = draft;
    const { source } = statement;
    const saving = {
      draftId: draft.id,
      name: name ?? '',
      isNamed: saved === undefined,
      source,
      statement,
      isPart,
      reference: saved,
    };
    if (isRunning) return;
    if (saved === undefined) return setAsked(saving);
    setSent(true);
    if (!(await start(saving))) setAsked(saving);
  };
  const dialog = (
    <Dialog title={t('saved.save')} isOpen={asked !== undefined} onClose={close}>
      {asked !== undefined && (
        <SaveQueryForm
          saving={asked}
          stored={stored}
          failure={isSent ? failure : undefined}
          isRunning={isRunning}
          onChange={setAsked}
          onSave={(saving) => {
            setAsked(saving);
            setStored(undefined);
            setSent(true);
            void start(saving);
          }}
          onClose={close}
          onShowPosition={(location) => {
            close();
            onShowPosition(asked.statement, location);
          }}
          onOpenStored={(found) => {
            close();
            store.link(asked.draftId, { saved: undefined });
            onOpen(found);
          }}
        />
      )}
    </Dialog>
  );
  return { save, dialog };
}

interface SaveQueryFormProps {
  readonly saving: Saving;
  /** The query as another window or user has saved it in the meantime. */
  readonly stored: Versioned<FoundDatamap> | undefined;
  readonly failure: unknown;
  readonly isRunning: boolean;
  readonly onChange: (saving: Saving) => void;
  readonly onSave: (saving: Saving) => void;
  readonly onClose: () => void;
  readonly onShowPosition: (location: TextPosition) => void;
  readonly onOpenStored: (stored: Versioned<FoundDatamap>) => void;
}

function SaveQueryForm(props: SaveQueryFormProps) {
  const { saving, stored, failure, isRunning, onChange, onSave, onClose, onShowPosition, onOpenStored } = props;
  const { t } = useTranslation();
  const [isChecked, setChecked] = useState(false);
  const isRemoved = saving.reference !== undefined && isInaccessible(failure);
  const isValid = isQueryName(saving.name);
  const location = locationIn(failure);
  const submit = (reference: SavedQueryReference | undefined): void => {
    setChecked(true);
    if (isValid) onSave({ ...saving, name: saving.name.trim(), reference });
  };
  return (
    <Stack as="form" onSubmit={() => submit(isRemoved ? undefined : saving.reference)}>
      {stored !== undefined && (
        <ConflictPanel
          about={t('saved.conflict.about')}
          conflicts={[
            {
              key: 'sql',
              theirs: <pre>{sqlOf(stored.value)}</pre>,
              mine: <pre>{saving.source.sql}</pre>,
              onChoose: (choice) =>
                choice === 'theirs'
                  ? onOpenStored(stored)
                  : submit({ id: stored.value.id, entityTag: stored.entityTag }),
            },
          ]}
        />
      )}
      {isRemoved ? (
        <p role="alert">{t('saved.removed-meanwhile')}</p>
      ) : (
        <Failure
          error={failure}
          describe={(message) =>
            location === undefined
              ? message
              : t('run.error.at', { ...inText(location, saving.statement.start), message })
          }
        >
          {location !== undefined && (
            <Button size="s" onPress={() => onShowPosition(location)}>
              {t('datamap.save.show-in-editor')}
            </Button>
          )}
        </Failure>
      )}
      <TextField
        label={t('label.name')}
        description={t('saved.name.about')}
        problem={isChecked && !isValid ? t('saved.name.invalid') : undefined}
        value={saving.name}
        onChange={(name) => onChange({ ...saving, name, isNamed: true })}
        isRequired
        autoFocus
        onFocus={({ target }) => target instanceof HTMLInputElement && target.select()}
      />
      <DialogActions onCancel={onClose}>
        {stored === undefined && (
          <Button kind="primary" type="submit" isDisabled={isRunning}>
            {t('action.save')}
          </Button>
        )}
      </DialogActions>
    </Stack>
  );
}
