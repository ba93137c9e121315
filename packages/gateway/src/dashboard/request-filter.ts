import { type Action, actions, type Entry } from '../ledger/entry.ts';
import type { RequestFilter } from '../report/filter.ts';
import { namedTimeframe, periodNames, type Timeframe, timeframeBetween } from '../report/timeframe.ts';
import type { Outcome } from '../request/identity.ts';
import { purposes } from '../request/purpose.ts';

const outcomes: readonly Outcome[] = ['verified', 'unverified', 'unknown', 'spoofed'];

const purposeNames = [...Object.keys(purposes), 'verification'];
const isAction = (name: string): name is Action => actions.includes(name as Action);
const isPurpose = (name: string): name is Entry['purpose'] => purposeNames.includes(name);

/** The period in the query of an address, or the sentence that says which part is wrong. Default: the last day. */
export function readTimeframe(query: URLSearchParams, now: number): Timeframe | string {
	const [since, until] = [query.get('since'), query.get('until')];
	if (since === null) {
		const found = namedTimeframe(query.get('period') ?? '24h', now);
		return found ?? `period: expected one of ${periodNames.join(', ')}`;
	}
	const [from, to] = [Date.parse(since), until === null ? now : Date.parse(until)];
	if (Number.isNaN(from) || Number.isNaN(to)) return 'since, until: expected a time such as 2026-11-30T12:00Z';
	if (from >= to) return 'since: expected a time before until';
	return timeframeBetween(from, to);
}

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
	const taken = query.get('action')?.split(',');
	if (taken !== undefined && !taken.every(isAction)) return `action: expected some of ${actions.join(', ')}`;
	const purpose = query.get('purpose') ?? undefined;
	if (purpose !== undefined && !isPurpose(purpose)) return `purpose: expected one of ${purposeNames.join(', ')}`;
	const agent = query.get('agent') ?? undefined;
	return {
		agent: agent === '' ? null : agent,
		outcome: outcome as Outcome | undefined,
		path: query.get('path') ?? undefined,
		page: query.get('page') ?? undefined,
		status: status === undefined ? undefined : Number(status),
		denied: query.has('denied'),
		broken: query.has('broken'),
		rule: query.get('rule') ?? undefined,
		actions: taken,
		purpose,
		category: query.get('category') ?? undefined,
		operator: query.get('operator') ?? undefined,
		policy: query.get('policy') ?? undefined,
		answer: query.get('answer') ?? undefined,
	};
}
