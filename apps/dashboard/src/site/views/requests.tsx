import type { ComponentChildren } from 'preact';
import { Badge, bytes, type Column, cut, Loaded, moment, queryWith, Section, Table } from '../../ui/index.ts';
import { AgentLink, OutcomeBadge } from '../agent-cell.tsx';
import type { RecordedRequest } from '../data.ts';
import { apiAddress, type FilterName, nameOf, shortRule } from '../query.ts';
import type { ViewProps } from '../site-view.tsx';
import { useFigures } from '../use-figures.ts';
import { actions, reasons } from '../words.ts';

const columns: readonly Column<RecordedRequest>[] = [
	{
		title: 'Time',
		value: ({ at }) => new Date(at).toISOString(),
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
	{
		title: 'Request',
		isBlock: true,
		value: ({ path }) => path,
		cell: (row) => <Details {...row} />,
		className: () => 'wide',
	},
];

/** The latest requests, each with the deciding line, the policy version it had read, and the evidence. */
export function RequestsView(props: ViewProps) {
	return <RequestList {...props} title="Latest requests" empty="No requests in this period." />;
}

/** Requests with the filters of the address and some more. */
export function RequestList({
	title,
	empty,
	more = {},
	...props
}: ViewProps & { title: string; empty: string; more?: Readonly<Partial<Record<FilterName, string>>> }) {
	const requests = useFigures<readonly RecordedRequest[]>('requests', props, more);
	return (
		<Section title={title} note="The newest 200; the table to save has up to 10,000. Open a line for its details.">
			<Loaded of={requests}>
				{(rows) => (
					<Table
						caption={title}
						columns={columns}
						rows={rows}
						rowKey={({ at, address, method, path }) => `${at} ${address} ${method} ${path}`}
						empty={empty}
						save={apiAddress('requests.csv', props.query, more)}
						pageSize={25}
					/>
				)}
			</Loaded>
		</Section>
	);
}

function Details(request: RecordedRequest) {
	const { method, path, rule, excuse, action, reason } = request;
	return (
		<details>
			<summary>
				<code>
					{method} {cut(path)}
				</code>
				{rule !== '' && <span class="rule-of-request">{cut(shortRule(rule), 160)}</span>}
			</summary>
			<div class="request-facts">
				<dl class="facts">
					{path.length > 80 && <Fact name="Path">{path}</Fact>}
					{rule !== '' && <Fact name="Deciding rule">{rule}</Fact>}
					<Fact name="Action">
						{actions[action]?.title ?? action}
						{reason !== null && `: ${reasons[reason] ?? reason}`}
					</Fact>
					{excuse !== null && <Fact name="Not held against it">{excuse}</Fact>}
					<Fact name="Policy version it had read">
						<PolicyLink version={request.fetched} rule={rule} />
					</Fact>
					<Fact name="Active policy version">
						<PolicyLink version={request.inForce} rule={rule} />
					</Fact>
					<Fact name="Body sent">{bytes(request.bytes)}</Fact>
				</dl>
				<Evidence {...request} />
			</div>
		</details>
	);
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
	return (
		<>
			<dt>{name}</dt>
			<dd>{children}</dd>
		</>
	);
}

/** `https://shop.example/robots.txt:12 Disallow: /private`: the file and the line. */
const ruleLine = /\/(robots2?\.txt):(\d+) /;

/** Leads to the text of a version, at the line that decided. */
function PolicyLink({ version, rule }: { version: string | null; rule: string }) {
	if (version === null) return <>none</>;
	const [, file, line] = ruleLine.exec(rule) ?? [];
	return (
		<a href={queryWith({ view: 'policy', version, file, line })}>
			<code>{version}</code>
		</a>
	);
}

/** The address of a request, and what was checked. */
export function Evidence({ address, evidence }: Pick<RecordedRequest, 'address' | 'evidence'>) {
	return (
		<div class="request-facts">
			<dl class="facts">
				<Fact name="Address">{address}</Fact>
			</dl>
			<p class="soft">Evidence for the identity</p>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
			<pre tabIndex={0}>{typeof evidence === 'string' ? evidence : JSON.stringify(evidence, undefined, 2)}</pre>
		</div>
	);
}
