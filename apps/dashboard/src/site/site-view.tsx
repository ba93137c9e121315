import {
	Activity,
	BadgeCheck,
	Bot,
	ChartLine,
	FileText,
	type IconNode,
	LayoutDashboard,
	Leaf,
	List,
	MessageCircleQuestionMark,
	Pause,
	Play,
	ScrollText,
	ShieldAlert,
	SlidersHorizontal,
	Target,
	Users,
} from 'lucide';
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import {
	Choice,
	Freshness,
	Icon,
	type NavigationGroup,
	navigate,
	queryWith,
	type Resource,
	roughly,
	Shell,
	useQuery,
	useResource,
} from '../ui/index.ts';
import type { Overview } from './data.ts';
import { FilterBar } from './filters.tsx';
import { apiAddress, periodOf, periods } from './query.ts';
import { AgentsView } from './views/agents.tsx';
import { AsksView } from './views/asks.tsx';
import { AssistantsView } from './views/assistants.tsx';
import { HealthView } from './views/health.tsx';
import { HoneypotsView } from './views/honeypots.tsx';
import { IdentityView } from './views/identity.tsx';
import { OverviewView } from './views/overview.tsx';
import { PagesView } from './views/pages.tsx';
import { PolicyView } from './views/policy.tsx';
import { RequestsView } from './views/requests.tsx';
import { RulesView } from './views/rules.tsx';
import { SavingsView } from './views/savings.tsx';
import { TrafficView } from './views/traffic.tsx';

/** Milliseconds between two readings. */
const paces = { every: 5000, slowly: 30_000 };

/** Lists over many days are read once: they take the ledger a moment, and hardly change. */
function pacesOf(query: URLSearchParams, isPaused: boolean): Pick<ViewProps, 'every' | 'slowly'> {
	if (isPaused) return { every: undefined, slowly: undefined };
	const isShort = !query.has('since') && ['1h', '24h'].includes(periodOf(query));
	return isShort ? paces : { ...paces, slowly: undefined };
}

export interface ViewProps {
	readonly query: URLSearchParams;
	readonly overview: Resource<Overview>;
	/** Milliseconds between two readings of the latest requests; undefined: paused. */
	readonly every: number | undefined;
	/** The same for figures that are counted from many requests. */
	readonly slowly: number | undefined;
}

interface View {
	readonly title: string;
	readonly icon: IconNode;
	readonly lede: string;
	readonly View: ComponentType<ViewProps>;
	/** Filters change nothing here. */
	readonly isUnfiltered?: boolean;
}

const views: Readonly<Record<string, View>> = {
	'': {
		title: 'Overview',
		icon: LayoutDashboard,
		lede: 'Who reads this site, and who keeps to its policy.',
		View: OverviewView,
	},
	traffic: {
		title: 'Traffic',
		icon: ChartLine,
		lede: 'Requests, bytes and tokens over time, by agent, operator, purpose or category.',
		View: TrafficView,
	},
	agents: {
		title: 'Agents',
		icon: Bot,
		lede: 'Each agent, its identity, and the rules it kept or broke.',
		View: AgentsView,
	},
	requests: {
		title: 'Requests',
		icon: List,
		lede: 'Single requests, newest first, with the deciding line and the evidence for the identity.',
		View: RequestsView,
	},
	rules: {
		title: 'Broken rules',
		icon: ShieldAlert,
		lede: 'One line for each agent and each rule that it broke, the latest first.',
		View: RulesView,
	},
	identity: {
		title: 'Identity',
		icon: BadgeCheck,
		lede: 'Whether each agent is the one that it claims to be, and the evidence for it.',
		View: IdentityView,
	},
	asks: {
		title: 'Asks',
		icon: MessageCircleQuestionMark,
		lede: 'Permissions that agents asked for, and the answers.',
		View: AsksView,
	},
	honeypots: {
		title: 'Honeypots',
		icon: Target,
		lede: 'Agents at pages that robots.txt and robots2.txt disallow and that no page links to.',
		View: HoneypotsView,
	},
	pages: {
		title: 'Pages',
		icon: FileText,
		lede: 'Pages that agents read most, and paths denied most.',
		View: PagesView,
	},
	savings: {
		title: 'Savings',
		icon: Leaf,
		lede: 'Requests, bytes and tokens that did not happen, since agents cooperate.',
		View: SavingsView,
	},
	assistants: {
		title: 'From assistants',
		icon: Users,
		lede: 'People whom assistants such as ChatGPT sent here, beside the requests of agents for the same pages.',
		View: AssistantsView,
		isUnfiltered: true,
	},
	policy: {
		title: 'Policy',
		icon: ScrollText,
		lede: 'The files that agents get, and earlier versions.',
		View: PolicyView,
		isUnfiltered: true,
	},
	health: {
		title: 'Health',
		icon: Activity,
		lede: 'Site, address lists, DNS and key directories that the gateway relies on.',
		View: HealthView,
		isUnfiltered: true,
	},
};

const groups: readonly { readonly title?: string; readonly names: readonly string[] }[] = [
	{ names: ['', 'traffic', 'agents', 'requests'] },
	{ title: 'Rules', names: ['rules', 'identity', 'asks', 'honeypots'] },
	{ title: 'Content', names: ['pages', 'savings', 'assistants'] },
	{ title: 'Gateway', names: ['policy', 'health'] },
];

export function SiteView() {
	const query = useQuery();
	const [isPaused, setPaused] = useState(false);
	const name = query.get('view') ?? '';
	const current = Object.hasOwn(views, name) ? name : '';
	const overview = useResource<Overview>(apiAddress('overview', query), isPaused ? undefined : paces.every);
	const view = views[current];
	if (view === undefined) return null;
	const { title, lede, View } = view;
	return (
		<Shell
			title={title}
			lede={lede}
			subject={hostOf(overview.value?.site)}
			navigation={navigationOf(current, query, overview.value)}
			tools={<Tools query={query} overview={overview} isPaused={isPaused} onPause={() => setPaused(!isPaused)} />}
		>
			{view.isUnfiltered !== true && <FilterBar query={query} />}
			<View key={current} query={query} overview={overview} {...pacesOf(query, isPaused)} />
		</Shell>
	);
}

/** Members of the address that belong to one view. */
const ownOfViews = ['by', 'measure', 'hidden', 'version', 'file', 'line'];

function navigationOf(current: string, query: URLSearchParams, overview: Overview | undefined): NavigationGroup[] {
	const marks: Readonly<Record<string, number | undefined>> = { rules: overview?.totals.violations };
	const shared = Object.fromEntries(ownOfViews.map((name) => [name, undefined]));
	const itemOf = (name: string) => {
		const mark = marks[name];
		return {
			title: views[name]?.title ?? name,
			...(views[name] !== undefined && { icon: views[name].icon }),
			href: queryWith({ ...shared, view: name === '' ? undefined : name }, query),
			isCurrent: name === current,
			mark: mark ? roughly(mark) : undefined,
		};
	};
	const studio = { title: 'Policy studio', icon: SlidersHorizontal, href: 'studio' };
	return groups.map(({ names, ...group }) => ({
		...group,
		items: [...names.map(itemOf), ...(names.includes('policy') ? [studio] : [])],
	}));
}

function Tools({
	query,
	overview,
	isPaused,
	onPause,
}: {
	query: URLSearchParams;
	overview: Resource<Overview>;
	isPaused: boolean;
	onPause: () => void;
}) {
	const setPeriod = (period: string) => navigate(queryWith({ period, since: undefined, until: undefined }));
	return (
		<>
			<Freshness of={[overview]} paused={isPaused} />
			<Choice
				label="Period"
				options={periods}
				value={query.has('since') ? undefined : periodOf(query)}
				onChange={setPeriod}
			/>
			<button type="button" aria-pressed={isPaused} onClick={onPause}>
				<Icon of={isPaused ? Play : Pause} size={15} />
				Pause
			</button>
		</>
	);
}

function hostOf(site: string | undefined): string {
	if (site === undefined) return '…';
	return URL.canParse(site) ? new URL(site).host : site;
}
