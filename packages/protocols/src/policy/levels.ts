import type { Evidence } from '../evidence.ts';
import { aboveLevel, type UseLevel, useLevels } from './content-signal.ts';
import type { Statement, Use } from './types.ts';

/** A line that gives a level of `Content-Signal: use=`. */
export interface LevelStatement {
	readonly level: UseLevel;
	readonly evidence: Evidence;
}

export function sayLevel(level: UseLevel | undefined, evidence: Evidence): LevelStatement[] {
	return level ? [{ level, evidence }] : [];
}

/** The uses that any level covers. */
export const leveledUses: ReadonlySet<Use> = new Set(useLevels.flatMap((level) => aboveLevel[level]));

/**
 * Statements of levels about a use: levels below it forbid it, the others are only reported, since a ceiling permits
 * nothing.
 */
export function sayLevels(levels: readonly LevelStatement[], use: Use): Statement[] {
	if (levels.length === 0 || !leveledUses.has(use)) return [];
	return levels.map(({ level, evidence }) => ({
		effect: aboveLevel[level].includes(use) ? 'deny' : 'silent',
		evidence,
	}));
}
