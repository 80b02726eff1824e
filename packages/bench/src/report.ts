import { markdownTable } from './markdown-table.ts';

/** One row of the report: a target, the measured value, and the limits it must meet. */
export interface Finding {
  readonly name: string;
  readonly measured: number;
  readonly unit: string;
  /** A value worse than this is a defect. */
  readonly floor: number;
  readonly goal: number;
  readonly better: 'higher' | 'lower';
  /** Numbers that the measured value was computed from. */
  readonly detail: string;
}

const HEADER = ['target', 'measured', 'floor', 'goal', 'verdict', 'detail'];

export const meetsFloor = (finding: Finding): boolean =>
  finding.better === 'higher' ? finding.measured >= finding.floor : finding.measured <= finding.floor;

const meetsGoal = (finding: Finding): boolean =>
  finding.better === 'higher' ? finding.measured >= finding.goal : finding.measured <= finding.goal;

/** Formats the findings as a Markdown table. Without judging them, no verdict is given. */
export function report(findings: readonly Finding[], isJudged: boolean): string {
  const lines = findings.map((finding) => {
    const sign = finding.better === 'higher' ? '≥' : '≤';
    const verdict = meetsGoal(finding) ? 'goal' : meetsFloor(finding) ? 'floor' : 'BELOW THE FLOOR';
    const measured = `${finding.measured.toFixed(2)} ${finding.unit}`;
    const limits = [`${sign} ${finding.floor}`, `${finding.goal}`];
    return [finding.name, measured, ...limits, isJudged ? verdict : 'not judged', finding.detail];
  });
  return markdownTable(HEADER, lines);
}
