import { groupRecordKeys } from '../policy/vocabularies/names.ts';
import type { RobotsRecord } from './types.ts';

export interface RecordEffect {
	/** As written: `ai-train`. */
	readonly name: string;
	/** The same for names that mean the same. */
	readonly subject: string;
	readonly effect: 'allow' | 'deny';
}

/** Both words for training. */
const subjects: Readonly<Record<string, string>> = { 'ai-train': 'train-ai' };

/**
 * The names that a vocabulary record allows or denies: `ai-train=no`, `/path train-ai=n`. For comparing what authors
 * meant, so that a value with a fault elsewhere counts; decisions use the parser of the vocabulary.
 */
export function recordEffects({ key, value }: Pick<RobotsRecord, 'key' | 'value'>): RecordEffect[] {
	if (!groupRecordKeys.includes(key.toLowerCase())) return [];
	return value.split(',').flatMap((member) => {
		const [left = '', right = ''] = member.toLowerCase().split('=', 2);
		const name = left.trim().split(/[ \t]/).at(-1) ?? '';
		const said = /^[ \t]*(yes|y|no|n)[ \t]*(?:;|$)/.exec(right)?.[1];
		if (said === undefined) return [];
		return [{ name, subject: subjects[name] ?? name, effect: said.startsWith('y') ? 'allow' : 'deny' }];
	});
}
