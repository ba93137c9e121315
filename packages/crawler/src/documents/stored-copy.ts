import { present } from '@wayleave/protocols';
import type { PolicyNote } from '../model/result.ts';
import type { Terms } from '../response/policy-headers.ts';
import type { Content, Snapshot } from '../store/roles/pages.ts';

/** The stored copy on the terms of today; undefined where they are those that it has. */
export function restated(snapshot: Snapshot, policy: PolicyNote, terms: Terms | undefined): Content | undefined {
	const before = JSON.stringify([snapshot.policy, snapshot.terms ?? []]);
	if (JSON.stringify([policy, terms ?? []]) === before) return undefined;
	const { fetchedAt, checkedAt, document, page, representation, capture, favor } = snapshot;
	return {
		...validatorsOfCopy(snapshot),
		checkedAt,
		snapshot: {
			fetchedAt,
			document,
			policy,
			...present({ page, representation, capture, favor, terms }),
		},
	};
}

/** Validators that distinguish a stored copy from the current page. */
export function validatorsOfCopy({ etag, lastModified, bodyHash }: Snapshot) {
	return { ...(etag && { etag }), ...(lastModified && { lastModified }), ...(bodyHash && { bodyHash }) };
}
