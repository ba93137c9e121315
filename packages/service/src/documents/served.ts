import type { Result } from '@wayleave/crawler';
import type { FreshnessPolicy } from '@wayleave/protocols/aidocument';

/** A result, and its SOM document if the caller wanted one. */
export interface Served {
	readonly result: Result;
	/** JSON text; absent when the page makes none, such as plain text. */
	readonly som?: string;
}

/**
 * A result as the outcome of one call: several callers may share a request, and each response states the policy that its
 * caller asked for (AIWebIndex 2.0 §4.2). The two booleans are the truth; the label follows from them and the policy.
 */
export function asAskedFor(served: Served, policy: FreshnessPolicy): Served {
	const { document } = served.result;
	if (document === undefined || document.source.freshness_policy === policy) return served;
	const { cache, source } = document;
	const fetched = policy === 'force_refresh' ? 'refreshed' : 'miss';
	return {
		...served,
		result: {
			...served.result,
			document: {
				...document,
				source: { ...source, freshness_policy: policy },
				cache: cache.body_fetched ? { ...cache, status: fetched } : cache,
			},
		},
	};
}
