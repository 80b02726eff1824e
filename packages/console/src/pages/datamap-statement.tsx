import { type FormEvent, lazy, Suspense, useState } from 'react';
import { locationIn } from '../api/describe-error.ts';
import { DatamapSql } from '../datamaps/datamap-sql.tsx';
import { useTranslation } from '../i18n/translate.tsx';
import { DiscardButton } from '../steward/discard-button.tsx';
import { ImpactDialog } from '../steward/life/impact-dialog.tsx';
import { type DeclaredParameter, lossesOfParameters } from '../steward/life/parameter-draft.ts';
import { ParameterFields, ParameterTable } from '../steward/life/parameter-fields.tsx';
import { type StatementEdit, useStatementEdit } from '../steward/life/use-statement-edit.ts';
import { SavedNote } from '../steward/saved-note.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { parametersOf, useCatalog } from './query-workspace.ts';
import type { DatamapProps } from './use-datamap-edit.ts';

const StatementField = lazy(async () => ({
  default: (await import('../editor/statement-field.tsx')).StatementField,
}));

interface DatamapStatementProps extends DatamapProps {
  readonly mayChange: boolean;
}

/** Statement of a datamap, and for those who may change it the field in which they do. */
export function DatamapStatement({ found, reread, mayChange }: DatamapStatementProps) {
  const { t } = useTranslation();
  const edit = useStatementEdit({ found, reread });
  const isWithdrawn = found.value.datamap.state === 'DRAFT' || found.value.datamap.state === 'IN_PROGRESS';
  if (mayChange && edit.isOpen) return <StatementForm found={found} edit={edit} />;
  return (
    <div className="statement-form">
      {edit.savedBy !== undefined && isWithdrawn && (
        <SavedNote text={t('life.done.statement')} requestId={edit.savedBy} />
      )}
      <DatamapSql sql={found.value.datamap.advanced_mode.sql} />
      <ParameterTable parameters={found.value.datamap.parameters} />
      {mayChange && (
        <div>
          <Button size="s" icon="edit" onPress={edit.open}>
            {t('life.sql.edit')}
          </Button>
        </div>
      )}
    </div>
  );
}

function StatementForm({ found, edit }: Pick<DatamapProps, 'found'> & { readonly edit: StatementEdit }) {
  const { t } = useTranslation();
  const { catalog, dialect } = useCatalog();
  const [isAsking, setAsking] = useState(false);
  const { datamap } = found.value;
  const { names } = parametersOf(edit.text, dialect);
  const losses = lossesOfParameters(datamap.parameters, new Map(names.map((name) => [name, edit.parameter(name)])));
  const location = locationIn(edit.saving.failure);
  const isBlank = edit.text.trim() === '';
  const send = () => edit.save(names);
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (isBlank || edit.isConflict || edit.saving.isRunning) return;
    // The host withdraws a datamap whose statement or parameters change.
    if (datamap.state === 'PUBLISHED' && edit.hasEdits) setAsking(true);
    else send();
  };
  return (
    <form className="statement-form" onSubmit={submit}>
      <Failure error={edit.saving.failure} />
      {location !== undefined && <p>{t('life.sql.place', { line: location.line, column: location.column })}</p>}
      {edit.isConflict && <StatementConflict edit={edit} parameters={datamap.parameters} />}
      <div className="statement-form__field">
        <Suspense>
          <StatementField
            label={t('label.statement')}
            text={edit.text}
            onChange={edit.change}
            onSubmit={submit}
            dialect={dialect}
            catalog={catalog}
            error={location}
          />
        </Suspense>
      </div>
      {names.map((name) => (
        <ParameterFields
          key={name}
          name={name}
          draft={edit.parameter(name)}
          onChange={(draft) => edit.changeParameter(name, draft)}
        />
      ))}
      <p className="metadata-form__about">{t('life.sql.save.about')}</p>
      <div className="metadata-form__actions">
        <Button kind="primary" type="submit" isDisabled={isBlank || edit.isConflict || edit.saving.isRunning}>
          {t('life.sql.save')}
        </Button>
        <DiscardButton hasEdits={edit.hasEdits} isDisabled={edit.saving.isRunning} onDiscard={edit.discard} />
      </div>
      <ImpactDialog
        datamap={found.value}
        title={t('life.ask.statement')}
        action={t('life.sql.save')}
        parameters={losses}
        isOpen={isAsking}
        onConfirm={send}
        onClose={() => setAsking(false)}
      />
    </form>
  );
}

interface StatementConflictProps {
  readonly edit: StatementEdit;
  /** Parameters that somebody else has stored. */
  readonly parameters: readonly DeclaredParameter[];
}

/** The statement that somebody else has stored, with a choice. The user's own is in the field. */
function StatementConflict({ edit, parameters }: StatementConflictProps) {
  const { t } = useTranslation();
  return (
    <section className="statement-form" role="alert" aria-label={t('life.sql.conflict')}>
      <p>{t('life.sql.conflict')}</p>
      <DatamapSql sql={edit.stored} />
      <ParameterTable parameters={parameters} />
      <div className="metadata-form__actions">
        <Button size="s" onPress={() => edit.resolve('theirs')}>
          {t('steward.conflict.keep-theirs')}
        </Button>
        <Button size="s" onPress={() => edit.resolve('mine')}>
          {t('steward.conflict.keep-mine')}
        </Button>
      </div>
    </section>
  );
}
