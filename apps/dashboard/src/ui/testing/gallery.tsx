import { Bot, LayoutDashboard } from 'lucide';
import { useState } from 'preact/hooks';
import * as ui from '../index.ts';

const times = Array.from({ length: 24 }, (_, hour) => Date.UTC(2026, 0, 5, hour));
const wave = (height: number, shift: number) =>
	times.map((_, at) => Math.round(height * (1 + Math.sin((at + shift) / 3))));

const rows = [
	{ agent: 'GPTBot', requests: 1200, rule: 'https://shop.example/robots.txt:12 Disallow: /private' },
	{ agent: '=ClaudeBot', requests: 90, rule: '' },
	{ agent: 'Bytespider', requests: 3300, rule: 'https://shop.example/robots.txt:14 Disallow: /' },
];

/** Every shared part in each of its states, for tests. */
function Gallery() {
	const query = ui.useQuery();
	const [isOpen, setOpen] = useState(false);
	const [isOn, setOn] = useState(true);
	const [choice, setChoice] = useState<'day' | 'week'>('day');
	const isSecond = query.get('view') === 'second';
	const failing = ui.useResource('missing.json');
	return (
		<ui.Shell
			title={isSecond ? 'Second' : 'First'}
			lede="Every shared part."
			subject="shop.example"
			navigation={[
				{ items: [{ title: 'First', href: '?', icon: LayoutDashboard, isCurrent: !isSecond }] },
				{
					title: 'More',
					items: [{ title: 'Second', href: '?view=second', icon: Bot, isCurrent: isSecond, mark: '3' }],
				},
			]}
			tools={<ui.Choice label="Period" options={{ day: 'Day', week: 'Week' }} value={choice} onChange={setChoice} />}
		>
			<ui.Freshness of={[failing]} />
			<ui.Stats>
				<ui.Stat title="Requests" value="4,590" detail="of 3 agents" href="?view=second" trend={wave(4, 0)} />
				<ui.Stat title="Broken" value="12" tone="bad" trend={wave(2, 1)} />
				<ui.Stat title="Saved" value="3.2 MB" tone="good" />
				<ui.Stat title="Waiting" value="1" tone="warn" />
			</ui.Stats>
			{(['good', 'warn', 'bad', 'info', 'neutral'] as const).map((tone) => (
				<ui.Notice key={tone} tone={tone} title={`A notice: ${tone}`}>
					<p>
						With <a href="?view=second">the second view</a> and <ui.Badge tone={tone}>{tone}</ui.Badge>
					</p>
				</ui.Notice>
			))}
			<div class="columns">
				<ui.Section title="Lines" note="Three series.">
					<ui.Chart
						title="Requests by agent"
						kind="lines"
						times={times}
						series={rows.map(({ agent }, at) => ({ name: agent, values: wave(10 + at, at) }))}
						empty="Nothing."
					/>
				</ui.Section>
				<ui.Section title="Bars">
					<ui.Chart
						title="Requests by result"
						kind="bars"
						times={times}
						series={[
							{ name: 'Allowed', values: wave(20, 0), tone: 'info' },
							{ name: 'Denied', values: wave(5, 2), tone: 'bad' },
						]}
						empty="Nothing."
					/>
				</ui.Section>
				<ui.Section title="Amounts">
					<ui.BarList
						label="Amounts"
						empty="Nothing."
						amounts={rows.map(({ agent, requests }) => ({ label: agent, value: requests, href: '?view=second' }))}
					/>
				</ui.Section>
				<ui.Section title="Table">
					<ui.Table
						caption="Agents"
						rows={rows}
						rowKey={({ agent }) => agent}
						empty="Nothing."
						pageSize={2}
						columns={[
							{ title: 'Agent', value: ({ agent }) => agent },
							{ title: 'Requests', isNumber: true, value: ({ requests }) => requests },
							{ title: 'Rule', isBlock: true, value: ({ rule }) => rule, cell: ({ rule }) => <code>{rule}</code> },
						]}
					/>
				</ui.Section>
				<ui.Section title="Fields">
					<ui.TextField label="Name" name="name" hint="As in robots.txt." />
					<ui.TextField label="Status" error="Enter a number from 100 to 599." defaultValue="x" />
					<ui.Select label="Identity" options={{ any: 'any', verified: 'Verified' }} value="any" />
					<ui.TextArea label="Policy" rows={3} defaultValue="crawl: yes" />
					<ui.Switch label="Block GPTBot" isOn={isOn} onChange={setOn} />
					<button type="button" class="primary" onClick={() => setOpen(true)}>
						Publish
					</button>
					<button type="button" class="danger">
						Delete
					</button>
					<button type="button" disabled>
						Not now
					</button>
				</ui.Section>
				<ui.Section title="States">
					<ui.Loaded of={failing}>{() => null}</ui.Loaded>
					<ui.Skeleton />
					<ui.Empty title="Nothing here." />
				</ui.Section>
			</div>
			<ui.Dialog
				title="Publish the policy?"
				isOpen={isOpen}
				onClose={() => setOpen(false)}
				actions={
					<button type="button" class="primary" onClick={() => setOpen(false)}>
						Publish now
					</button>
				}
			>
				<p>Agents get it with their next request.</p>
			</ui.Dialog>
		</ui.Shell>
	);
}

ui.mount(<Gallery />);
