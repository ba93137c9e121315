import { makerOf } from '../internal/problem-maker.ts';
import type { RobotsFile } from '../robots/index.ts';
import { type PolicyProblem, policyProblems } from './problems.ts';
import { recordDefinition } from './vocabularies/index.ts';
import { groupRecordKeys } from './vocabularies/names.ts';

const policyProblem = makerOf(policyProblems);

/** Problems of the vocabulary records of a robots.txt, in the order of its lines. */
export function checkUsageRecords({ records }: RobotsFile): PolicyProblem[] {
	return records.flatMap((record) => {
		const key = record.key.toLowerCase();
		const isOutside = record.group === undefined && groupRecordKeys.includes(key);
		return [
			...(isOutside ? [policyProblem('signal-outside-group', record, { key: record.key })] : []),
			...(recordDefinition(key)?.check?.(record.value, record) ?? []),
		];
	});
}
