import { Activity, Bot, FileText, LayoutDashboard, List, Pause, Play, ScrollText, ShieldAlert } from 'lucide';
import { useState } from 'preact/hooks';
import {
	Choice,
	Freshness,
	Icon,
	type NavigationGroup,
	navigate,
	queryWith,
	type Resource,
	Shell,
	useQuery,
	useResource,
} from '../ui/index.ts';
import type { Overview } from './data.ts';
import { FilterBar } from './filters.tsx';
import { apiAddress, periodOf, periods } from './query.ts';
import { AgentsView } from './views/agents.tsx';
import { HealthView } from './views/health.tsx';
import { OverviewView } from './views/overview.tsx';
import { PagesView } from './views/pages.tsx';
import { PolicyView } from './views/policy.tsx';
import { RequestsView } from './views/requests.tsx';
import { RulesView } from './views/rules.tsx';

/** Milliseconds between two readings. */
const pace = 5000;

export interface ViewProps {
	readonly query: URLSearchParams;
	readonly overview: Resource<Overview>;
	/** Reads figures by their name, for the period and filters of the address, as often as the overview. */
	useFigures<Value>(name: string, more?: Readonly<Record<string, string>>): Resource<Value>;
}

const views = {
	'': {
		title: 'Overview',
		icon: LayoutDashboard,
		lede: 'Who reads this site, and who keeps to its policy.',
		View: OverviewView,
	},
	agents: {
		title: 'Agents',
		icon: Bot,
		lede: 'Each agent, its identity, and the rules it kept or broke.',
		View: AgentsView,
	},
	rules: {
		title: 'Broken rules',
		icon: ShieldAlert,
		lede: 'One line for each agent and each rule that it had read and broke.',
		View: RulesView,
	},
	pages: {
		title: 'Pages',
		icon: FileText,
		lede: 'Pages that agents fetch most, and paths denied most.',
		View: PagesView,
	},
	requests: {
		title: 'Requests',
		icon: List,
		lede: 'Single requests, newest first, with the deciding line and the evidence for the identity.',
		View: RequestsView,
	},
	policy: {
		title: 'Policy',
		icon: ScrollText,
		lede: 'The files that agents get, and earlier versions.',
		View: PolicyView,
	},
	health: {
		title: 'Health',
		icon: Activity,
		lede: 'Lists, files and services the gateway relies on.',
		View: HealthView,
	},
} as const;

const isView = (name: string): name is keyof typeof views => Object.hasOwn(views, name);

export function SiteView() {
	const query = useQuery();
	const [isPaused, setPaused] = useState(false);
	const every = isPaused ? undefined : pace;
	const name = query.get('view') ?? '';
	const current = isView(name) ? name : '';
	const { title, lede, View } = views[current];
	const overview = useResource<Overview>(apiAddress('overview', query), every);
	const useFigures: ViewProps['useFigures'] = (figures, more) => useResource(apiAddress(figures, query, more), every);
	return (
		<Shell
			title={title}
			lede={lede}
			subject={hostOf(overview.value?.site)}
			navigation={navigationOf(current, query)}
			tools={<Tools query={query} overview={overview} isPaused={isPaused} onPause={() => setPaused(!isPaused)} />}
		>
			<FilterBar query={query} />
			<View key={current} query={query} overview={overview} useFigures={useFigures} />
		</Shell>
	);
}

function navigationOf(current: string, query: URLSearchParams): NavigationGroup[] {
	const items = Object.entries(views).map(([name, { title, icon }]) => ({
		title,
		icon,
		href: queryWith({ view: name === '' ? undefined : name }, query),
		isCurrent: name === current,
	}));
	return [{ items }];
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
	return (
		<>
			<Freshness of={[overview]} paused={isPaused} />
			<Choice
				label="Period"
				options={periods}
				value={periodOf(query)}
				onChange={(period) => navigate(queryWith({ period }))}
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
