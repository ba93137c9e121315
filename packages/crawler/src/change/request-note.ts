import type { AuditVerdict } from '@wayleave/protocols/pagedigest';
import type { Outlook } from '../store/roles/changes.ts';
import type { RequestReason } from './decide.ts';
import type { Site } from './site.ts';

/** Stored state of a page, compared with the response to its request. */
export interface Note {
	readonly url: string;
	readonly why: RequestReason;
	readonly site: Site;
	readonly outlook: Outlook;
	readonly announced: boolean;
	verdict?: AuditVerdict;
}
