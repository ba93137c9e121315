import type { AuditVerdict } from '@wayleave/protocols/pagedigest';
import type { LookReason } from './judge.ts';
import type { Outlook } from './records.ts';
import type { Site } from './site.ts';

/** What a request is compared with when its answer is there. */
export interface Note {
	readonly url: string;
	readonly why: LookReason;
	readonly site: Site;
	readonly outlook: Outlook;
	readonly announced: boolean;
	verdict?: AuditVerdict;
}
