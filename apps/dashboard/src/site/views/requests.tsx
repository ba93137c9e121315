import { Badge, type Column, cut, Loaded, moment, Section, Table } from '../../ui/index.ts';
import { AgentLink, OutcomeBadge } from '../agent-cell.tsx';
import type { RecordedRequest } from '../data.ts';
import { apiAddress, nameOf } from '../query.ts';
import type { ViewProps } from '../site-view.tsx';

const columns: readonly Column<RecordedRequest>[] = [
	{
		title: 'Time',
		value: ({ at }) => at,
		cell: ({ at }) => <time dateTime={new Date(at).toISOString()}>{moment(at)}</time>,
		className: () => 'nowrap',
	},
	{ title: 'Agent', value: ({ agent }) => nameOf(agent), cell: ({ agent }) => <AgentLink agent={agent} /> },
	{ title: 'Identity', value: ({ outcome }) => outcome, cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
	{
		title: 'Status',
		isNumber: true,
		value: ({ status }) => status,
		cell: ({ status }) => <Badge tone={status >= 400 ? 'bad' : 'neutral'}>{status}</Badge>,
	},
	{ title: 'Request', isBlock: true, value: ({ path }) => path, cell: (row) => <Details {...row} /> },
];

/** The latest requests, each with the deciding line, the policy version it had read, and the evidence. */
export function RequestsView({ query, useFigures }: ViewProps) {
	const requests = useFigures<readonly RecordedRequest[]>('requests');
	return (
		<Section title="Latest requests" note="The newest 200 are shown; the table to save has up to 10,000.">
			<Loaded of={requests}>
				{(rows) => (
					<Table
						caption="Requests"
						columns={columns}
						rows={rows}
						rowKey={({ at, address, path }) => `${at} ${address} ${path}`}
						empty="No requests in this period."
						save={apiAddress('requests.csv', query)}
						pageSize={25}
					/>
				)}
			</Loaded>
		</Section>
	);
}

function Details(request: RecordedRequest) {
	const { method, path, rule, action, reason, address, fetched, inForce, excuse, evidence } = request;
	const facts: readonly (readonly [string, string | null])[] = [
		['Deciding rule', rule],
		['Action', reason === null ? action : `${action} (${reason})`],
		['Address', address],
		['Policy version it had read', fetched ?? 'none'],
		['Active policy version', inForce],
		['Not held against it', excuse],
	];
	return (
		<details>
			<summary>
				<code>
					{method} {cut(path)}
				</code>
			</summary>
			<div class="request-facts">
				<dl class="facts">
					{facts.flatMap(([name, value]) =>
						value ? [<dt key={`${name} title`}>{name}</dt>, <dd key={name}>{value}</dd>] : [],
					)}
				</dl>
				<p class="soft">Evidence for the identity</p>
				{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
				<pre tabIndex={0}>{typeof evidence === 'string' ? evidence : JSON.stringify(evidence, undefined, 2)}</pre>
			</div>
		</details>
	);
}
