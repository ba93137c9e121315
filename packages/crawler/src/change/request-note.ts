import type { AuditVerdict } from '@wayleave/protocols/pagedigest';
import type { Outlook } from '../store/roles/changes.ts';
import type { LookReason } from './decide.ts';
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
