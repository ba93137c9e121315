import type { Check, IdentityEvidence } from '../identify/types.ts';
import type { LedgerDb } from '../ledger/schema.ts';

/** How often a way to check identities worked in the latest requests. */
export interface CheckCount {
	readonly method: 'reverse-dns' | 'signature';
	readonly checked: number;
	readonly failed: number;
}

/** Requests that are looked at. */
const maxRequests = 1000;

const hasFailed = (check: Check): boolean =>
	(check.method === 'reverse-dns' && ['dns-failed', 'timeout'].includes(check.outcome)) ||
	(check.method === 'signature' && check.outcome === 'unverifiable');

/** How look-ups in DNS and key directories went, by the evidence of the latest 1,000 requests. */
export async function recentChecksOf(db: LedgerDb): Promise<CheckCount[]> {
	const latest = db.selectFrom('gateway_request').select('evidence').orderBy('at', 'desc').limit(maxRequests);
	const checks = (await latest.execute()).flatMap(({ evidence }) => checksIn(evidence));
	return (['reverse-dns', 'signature'] as const).map((method) => {
		const of = checks.filter((check) => check.method === method);
		return { method, checked: of.length, failed: of.filter(hasFailed).length };
	});
}

/** The checks of an evidence; none where it was cut for storage. */
function checksIn(evidence: string): readonly Check[] {
	try {
		const { checks } = JSON.parse(evidence) as Partial<IdentityEvidence>;
		return Array.isArray(checks) ? checks : [];
	} catch {
		return [];
	}
}
