import { useMemo } from 'react';
import { useKnownTags } from '../api/use-known-tags.ts';
import { RunProblem } from '../run/run-problem.tsx';
import { useRunSnapshot, useRunView } from '../run/use-run.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { FieldGrid } from '../steward/field-grid/field-grid.tsx';
import type { MetadataEdit } from '../steward/use-metadata-edit.ts';
import type { SampleRun } from './sample-rows.tsx';
import { sampleTexts } from './sample-texts.ts';

interface DescribeFieldsProps {
  readonly edit: MetadataEdit;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  readonly sample: SampleRun;
  /** Runs the statement of the sample, unless the user has to enter values first. */
  readonly onLoadSample: () => void;
}

/** Grid that describes the columns of an object, with values of its sample rows beside them. */
export function DescribeFields({ edit, fields, sample, onLoadSample }: DescribeFieldsProps) {
  const knownTags = useKnownTags();
  const { permissions } = useCurrentUser();
  const snapshot = useRunSnapshot(sample.run);
  const view = useRunView(sample.run);
  const values = useMemo(() => (view.loadedRows === 0 ? undefined : sampleTexts(view)), [view]);
  return (
    <>
      {snapshot !== undefined && <RunProblem snapshot={snapshot} />}
      <FieldGrid
        edit={edit}
        // A field without a name cannot be described.
        fields={fields.filter(({ name }) => name !== '')}
        knownTags={knownTags}
        samples={{ values, load: permissions.includes('query:run') ? onLoadSample : undefined }}
      />
    </>
  );
}
