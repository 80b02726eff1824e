import { lazy, Suspense, useState } from 'react';
import { locationIn } from '../api/describe-error.ts';
import { DatamapSql } from '../datamaps/datamap-activity.tsx';
import { useTranslation } from '../i18n/translate.tsx';
import { DiscardButton } from '../steward/discard-button.tsx';
import { ImpactDialog } from '../steward/lifecycle/impact-dialog.tsx';
import { lossesOfParameters } from '../steward/lifecycle/parameter-draft.ts';
import { ParameterFields, ParameterTable } from '../steward/lifecycle/parameter-fields.tsx';
import { type StatementEdit, useStatementEdit } from '../steward/lifecycle/use-statement-edit.ts';
import { SavedNote } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { ConflictPanel } from '../ui/conflict-panel.tsx';
import { Failure } from '../ui/failure.tsx';
import { Note, Row, Stack } from '../ui/layout.tsx';
import { parametersOf, useCatalog } from './query-workspace.ts';
import type { DatamapProps } from './use-datamap-edit.ts';
import './datamap-statement.css';

const StatementField = lazy(async () => ({
  default: (await import('../editor/statement-field.tsx')).StatementField,
}));

interface DatamapStatementProps extends DatamapProps {
  readonly mayChange: boolean;
}

/** Statement of a datamap, and for those who may change it the field in which they do. */
export function DatamapStatement({ found, refetch, mayChange }: DatamapStatementProps) {
  const { t } = useTranslation();
  const { catalog, dialect } = useCatalog();
  const parametersIn = (sql: string) => parametersOf(sql, dialect).names;
  const edit = useStatementEdit({ found, refetch, parametersIn });
  const isWithdrawn = found.value.datamap.state === 'DRAFT' || found.value.datamap.state === 'IN_PROGRESS';
  if (mayChange && edit.isOpen)
    return <StatementForm found={found} edit={edit} names={parametersIn(edit.text)} {...{ catalog, dialect }} />;
  return (
    <Stack>
      {edit.savedBy !== undefined && isWithdrawn && (
        <SavedNote text={t('lifecycle.done.statement')} requestId={edit.savedBy} />
      )}
      <DatamapSql sql={found.value.datamap.advanced_mode.sql} />
      <ParameterTable parameters={found.value.datamap.parameters} />
      {mayChange && (
        <Button size="s" icon="edit" onPress={edit.open}>
          {t('lifecycle.sql.edit')}
        </Button>
      )}
    </Stack>
  );
}

interface StatementFormProps extends Pick<DatamapProps, 'found'>, ReturnType<typeof useCatalog> {
  readonly edit: StatementEdit;
  /** Parameters of the statement. */
  readonly names: readonly string[];
}

function StatementForm({ found, edit, names, catalog, dialect }: StatementFormProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const { datamap } = found.value;
  const losses = lossesOfParameters(datamap.parameters, new Map(names.map((name) => [name, edit.parameter(name)])));
  const location = locationIn(edit.saving.failure);
  const isBlank = edit.text.trim() === '';
  const submit = (): void => {
    if (isBlank || edit.hasConflict || edit.saving.isRunning) return;
    // The host withdraws a datamap whose statement or parameters change.
    if (datamap.state === 'PUBLISHED' && edit.hasEdits) setAsking(true);
    else edit.save();
  };
  return (
    <Stack as="form" onSubmit={submit}>
      <Failure error={edit.saving.failure} />
      {location !== undefined && <p>{t('lifecycle.sql.position', { line: location.line, column: location.column })}</p>}
      {edit.hasConflict && (
        <ConflictPanel
          title={t('lifecycle.sql.conflict')}
          conflicts={[
            {
              key: 'statement',
              onChoose: edit.resolve,
              theirs: (
                <Stack>
                  <DatamapSql sql={edit.stored} />
                  <ParameterTable parameters={datamap.parameters} />
                </Stack>
              ),
            },
          ]}
        />
      )}
      <div className="datamap-statement__field">
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
      <Note size="s">{t('lifecycle.sql.save.about')}</Note>
      <Row>
        <Button kind="primary" type="submit" isDisabled={isBlank || edit.hasConflict || edit.saving.isRunning}>
          {t('lifecycle.sql.save')}
        </Button>
        <DiscardButton hasEdits={edit.hasEdits} isDisabled={edit.saving.isRunning} onDiscard={edit.discard} />
      </Row>
      <ImpactDialog
        datamap={found.value}
        title={t('lifecycle.ask.statement')}
        action={t('lifecycle.sql.save')}
        parameters={losses}
        isOpen={isAsking}
        onConfirm={edit.save}
        onClose={() => setAsking(false)}
      />
    </Stack>
  );
}
