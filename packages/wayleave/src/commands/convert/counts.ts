import { warcProblems } from '@wayleave/crawler';
import { quantity } from '@wayleave/protocols/text';

/** Counts of all items so far. */
export interface Counts {
	written: number;
	failed: number;
	/** Of those, files that were named and could not be read. */
	unread: number;
	/** Records of archives that are no pages. */
	passedOver: number;
	/** Inputs that were converted, whole. */
	inputs: number;
	/** Inputs that an earlier run has converted. */
	alreadyDone: number;
	/** Pages without an address, which have failed. */
	readonly nameless: string[];
}

/** Counts of one input. */
export type InputCounts = Readonly<Pick<Counts, 'written' | 'failed' | 'passedOver'>>;

export const noCounts = (): Counts => ({
	...{ written: 0, failed: 0, unread: 0, passedOver: 0 },
	...{ inputs: 0, alreadyDone: 0, nameless: [] },
});

/** Adds what an earlier run has counted. */
export function addFinished(counts: Counts, { written, failed, passedOver }: InputCounts): void {
	counts.written += written;
	counts.failed += failed;
	counts.passedOver += passedOver;
	counts.alreadyDone++;
}

/** What has been counted since an earlier state. */
export const countsSince = ({ written, failed, passedOver }: Counts, before: InputCounts): InputCounts => ({
	written: written - before.written,
	failed: failed - before.failed,
	passedOver: passedOver - before.passedOver,
});

/** Whether a fault means that a file could not be read, not that a part of it is damaged. */
export const isUnread = (code: string): boolean => code !== 'not-converted' && !(code in warcProblems);

export function countsText({ written, failed, passedOver, alreadyDone, inputs }: Counts): string {
	const rest = passedOver > 0 ? `, ${quantity(passedOver, 'record')} without a page` : '';
	const done = alreadyDone > 0 ? ` (${alreadyDone} of ${quantity(inputs + alreadyDone, 'input')} already done)` : '';
	return `${quantity(written, 'document')} written, ${failed} failed${rest}${done}`;
}
