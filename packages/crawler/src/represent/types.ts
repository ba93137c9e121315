import type { FetchSuccess } from '@wayleave/io/http';
import type { MetaTag } from '@wayleave/protocols/policy';
import type { ProcessedResponse } from '../documents/processed-response.ts';
import type { Permit } from '../policy/policy-checker.ts';
import type { HostSlot } from '../politeness/host-slot.ts';
import type { FrontierUrl } from '../store/roles/frontier.ts';
import type { RepresentContext } from './context.ts';

/** A representation offered instead of a page, and its result. */
export interface RepresentResult {
	/** The page is done with; absent where it has to be fetched itself, if that is permitted. */
	readonly processed?: ProcessedResponse;
	readonly status?: number;
	readonly bytes?: number;
	/** Why an offer was not taken up, for people. */
	readonly detail?: string;
}

/** A page at the point where it is decided how to read it. */
export interface RepresentInput {
	readonly from: FrontierUrl;
	/** Of the page, at this hop. */
	readonly url: string;
	readonly slot: HostSlot;
	readonly permit: Permit;
	/** The page itself, where it has been fetched to see what it announces. */
	readonly page?: FetchSuccess;
	/** Its meta tags. */
	readonly pageMeta?: readonly MetaTag[];
	readonly context: RepresentContext;
}
