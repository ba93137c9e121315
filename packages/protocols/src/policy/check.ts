import type { RobotsFile, RobotsRecord } from '../robots/index.ts';
import { parseContentSignal } from './content-signal.ts';
import { parseUsageRule } from './content-usage.ts';
import type { PolicyProblem } from './problems.ts';
import { policyProblem } from './report.ts';

/** What is odd about the `Content-Usage` and `Content-Signal` records of a robots.txt, in the order of its lines. */
export function checkUsageRecords({ records }: RobotsFile): PolicyProblem[] {
	return records.flatMap((record) => {
		const read = readers.get(record.key.toLowerCase());
		if (!read) return [];
		const outside = record.group === undefined;
		return [...(outside ? [policyProblem('signal-outside-group', record, { key: record.key })] : []), ...read(record)];
	});
}

const readers = new Map([
	['content-usage', (record: RobotsRecord) => parseUsageRule(record.value, record).problems],
	['content-signal', (record: RobotsRecord) => parseContentSignal(record.value, record).problems],
]);
