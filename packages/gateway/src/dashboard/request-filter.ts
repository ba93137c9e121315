import type { RequestFilter } from '../report/filter.ts';
import type { Outcome } from '../request/identity.ts';

const outcomes: readonly Outcome[] = ['verified', 'unverified', 'unknown', 'spoofed'];

/** The filter in the query of an address, or the sentence that says which part is wrong. `agent=` means: no name. */
export function readFilter(query: URLSearchParams): RequestFilter | string {
	const outcome = query.get('outcome') ?? undefined;
	if (outcome !== undefined && !outcomes.includes(outcome as Outcome))
		return `outcome: expected one of ${outcomes.join(', ')}`;
	const status = query.get('status') ?? undefined;
	if (status !== undefined && !/^(?:[1-5]|[1-5]\d\d)$/.test(status))
		return 'status: expected a status such as 403, or its first digit';
	for (const name of ['denied', 'broken'])
		if (!['1', null].includes(query.get(name))) return `${name}: expected 1, or nothing`;
	const agent = query.get('agent') ?? undefined;
	return {
		agent: agent === '' ? null : agent,
		outcome: outcome as Outcome | undefined,
		path: query.get('path') ?? undefined,
		status: status === undefined ? undefined : Number(status),
		denied: query.has('denied'),
		broken: query.has('broken'),
		rule: query.get('rule') ?? undefined,
	};
}
