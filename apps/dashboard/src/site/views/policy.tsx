import { useEffect, useRef } from 'preact/hooks';
import { type Column, Empty, Loaded, moment, Notice, queryWith, Section, Table } from '../../ui/index.ts';
import type { Policy, PolicyText } from '../data.ts';
import type { ViewProps } from '../site-view.tsx';
import { useFigures } from '../use-figures.ts';

const columns: readonly Column<Policy['past'][number]>[] = [
	{
		title: 'Version',
		value: ({ version }) => version,
		cell: ({ version }) => (
			<a href={queryWith({ version, file: undefined, line: undefined })}>
				<code>{version}</code>
			</a>
		),
	},
	{ title: 'From', value: ({ since }) => since, cell: ({ since }) => moment(since) },
	{ title: 'Until', value: ({ until }) => until, cell: ({ until }) => moment(until) },
];

/** The texts that agents get, and those of the versions before. */
export function PolicyView(props: ViewProps) {
	const version = props.query.get('version');
	return version === null ? <PresentPolicy {...props} /> : <RecordedPolicy {...props} version={version} />;
}

function PresentPolicy(props: ViewProps) {
	const policy = useFigures<Policy | null>('policy', props);
	return (
		<Loaded of={policy}>
			{(value) =>
				value === null ? (
					<Empty title="No policy is published here." />
				) : (
					<div class="stack">
						<p>
							Version <code>{value.version}</code> since {moment(value.since)}
						</p>
						<Texts {...value} query={props.query} />
						<Section title="Earlier versions">
							<Table
								caption="Earlier versions of the policy"
								columns={columns}
								rows={value.past}
								rowKey={(each) => `${each.version} ${each.since}`}
								empty="No earlier version is recorded."
							/>
						</Section>
					</div>
				)
			}
		</Loaded>
	);
}

/** A version that a client had read, with the line that decided about a request. */
function RecordedPolicy({ version, ...props }: ViewProps & { version: string }) {
	const policy = useFigures<PolicyText | null>('policy-version', props, { version });
	return (
		<Loaded of={policy}>
			{(value) => (
				<div class="stack">
					<p>
						<a href={queryWith({ version: undefined, file: undefined, line: undefined })}>Show the present version</a>
					</p>
					{value === null ? (
						<Notice tone="warn" title={`Version ${version} is not in the ledger.`}>
							<p>The ledger keeps each version from its first use on. This one was in use before.</p>
						</Notice>
					) : (
						<>
							<p>
								Version <code>{value.version}</code>, in force from {moment(value.since)}
							</p>
							<Texts {...value} query={props.query} />
						</>
					)}
				</div>
			)}
		</Loaded>
	);
}

function Texts({ robots, robots2, query }: Pick<PolicyText, 'robots' | 'robots2'> & { query: URLSearchParams }) {
	const line = Number(query.get('line') ?? 0);
	const lineIn = (file: string) => (query.get('file') === file ? line : 0);
	return (
		<div class="columns">
			<Section title="robots.txt">
				<Text content={robots} line={lineIn('robots.txt')} name="robots.txt" />
			</Section>
			<Section title="robots2.txt">
				{robots2 === '' ? (
					<Empty title="No robots2.txt is published: robots.txt can express everything in the policy file." />
				) : (
					<Text content={robots2} line={lineIn('robots2.txt')} name="robots2.txt" />
				)}
			</Section>
		</div>
	);
}

/** A text with the numbers of its lines, one of which is marked. */
function Text({ content, line, name }: { content: string; line: number; name: string }) {
	const marked = useRef<HTMLElement>(null);
	useEffect(() => {
		marked.current?.scrollIntoView({ block: 'center' });
	}, []);
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
		<pre class="numbered" tabIndex={0} title={name}>
			{content.split('\n').map((text, index) => {
				const key = `${index} ${text}`;
				return index + 1 === line ? (
					<mark key={key} class="text-line" ref={marked}>
						{`${text}\n`}
					</mark>
				) : (
					<span key={key} class="text-line">
						{`${text}\n`}
					</span>
				);
			})}
		</pre>
	);
}
