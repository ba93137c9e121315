import type { Evidence } from '../../evidence.ts';
import type { RobotsRecord } from '../../robots/index.ts';
import type { PathFile } from '../path-files.ts';
import type { Statement } from '../types.ts';
import type { VocabularyMechanism } from './names.ts';

export type Effects<Name extends string> = Readonly<Partial<Record<Name, 'allow' | 'deny'>>>;

export interface GroupRecord {
	readonly record: RobotsRecord;
	/** It stands above the first group, so it counts only for what it forbids. */
	readonly outside: boolean;
}

/** The records with this key of the groups that apply to the agent, and those above the first group. */
export function groupRecords({ file, rules }: PathFile, key: string): GroupRecord[] {
	const wanted = (record: RobotsRecord) => record.key.length === key.length && record.key.toLowerCase() === key;
	const general = file.records.filter((record) => record.group === undefined && wanted(record));
	return [
		...general.map((record) => ({ record, outside: true })),
		...rules.records.filter(wanted).map((record) => ({ record, outside: false })),
	];
}

export function onlyDenied<Name extends string>(effects: Effects<Name>): Effects<Name> {
	return Object.fromEntries(Object.entries(effects).filter(([, effect]) => effect === 'deny')) as Effects<Name>;
}

/** The statement of an effect, if there is one. */
export function statement(effect: 'allow' | 'deny' | undefined, evidence: Evidence): Statement[] {
	return effect ? [{ effect, evidence }] : [];
}

export function recordEvidence(source: string, record: RobotsRecord, mechanism: VocabularyMechanism): Evidence {
	const { line, column, text } = record;
	return { source, line, column, text: text.trim(), mechanism };
}
