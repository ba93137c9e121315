import type { Favor } from '@wayleave/extract';
import type { FreshnessPolicy } from '@wayleave/protocols/aidocument';
import type { Agent } from '@wayleave/protocols/policy';
import type { FieldSchema } from '../model/fields.ts';
import type { Pages } from '../store/roles/pages.ts';

/** Parts of a crawl that decide about the document of a visit. */
export interface DocumentContext {
	readonly store: { readonly pages: Pick<Pages, 'snapshot'> };
	readonly settings: {
		readonly favor: Favor | undefined;
		readonly fields: FieldSchema | undefined;
		readonly economics: boolean;
		readonly agent: Agent;
	};
	readonly freshnessPolicy: FreshnessPolicy;
	/** Gets the pages that are not requested and whose document the current options would make differently. */
	readonly onOutdated?: (url: string) => void;
}
