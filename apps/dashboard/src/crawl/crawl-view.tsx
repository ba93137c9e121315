import { Activity, Copy, GitCompare, LayoutDashboard, List, Search, Server } from 'lucide';
import { useState } from 'preact/hooks';
import {
	Freshness,
	type NavigationGroup,
	Notice,
	navigate,
	type Resource,
	Shell,
	TextField,
	timeOfDay,
	useQuery,
	useResource,
} from '../ui/index.ts';
import type { LiveState, ViewState } from './data.ts';
import { readKey, useKey } from './key.ts';
import { viewAddress } from './parts.tsx';
import { ChangesView } from './views/changes.tsx';
import { HistoryView } from './views/history.tsx';
import { HostsView } from './views/hosts.tsx';
import { LeftOutView } from './views/left-out.tsx';
import { OverviewView } from './views/overview.tsx';
import { SearchView } from './views/search.tsx';
import { UrlsView } from './views/urls.tsx';

/** Milliseconds between two readings. */
const livePace = 1000;
const statePace = 5000;

export interface ViewProps {
	readonly query: URLSearchParams;
	readonly state: Resource<ViewState>;
	/** `null` where no crawl runs in the process that serves the page. */
	readonly live: Resource<LiveState | null>;
}

const views = {
	'': {
		title: 'Overview',
		icon: LayoutDashboard,
		lede: 'How far the crawl is, and how its URLs ended.',
		View: OverviewView,
	},
	hosts: {
		title: 'Hosts',
		icon: Server,
		lede: 'Progress of each host, and which of them are slow or paused.',
		View: HostsView,
	},
	urls: {
		title: 'URLs',
		icon: List,
		lede: 'All URLs of the store, in the order found, with their outcome.',
		View: UrlsView,
	},
	'left-out': {
		title: 'Left out',
		icon: Copy,
		lede: 'URLs that the crawl skipped as copies or as endless spaces, and how it knows.',
		View: LeftOutView,
	},
	changes: {
		title: 'Changes',
		icon: GitCompare,
		lede: 'Pages that have changed, are new or are gone.',
		View: ChangesView,
	},
	search: { title: 'Search', icon: Search, lede: 'Finds documents by URL, title and text.', View: SearchView },
	url: {
		title: 'History of a URL',
		icon: Activity,
		lede: 'Why it was or was not fetched, its document, and what changed.',
		View: HistoryView,
	},
} as const;

const isView = (name: string): name is keyof typeof views => Object.hasOwn(views, name);

export function CrawlView() {
	const query = useQuery();
	const live = useResource<LiveState | null>('api/live', livePace);
	const state = useResource<ViewState>('api/state', statePace);
	const name = query.get('view') ?? '';
	const current = isView(name) ? name : '';
	const { title, lede, View } = views[current];
	return (
		<Shell
			title={title}
			lede={lede}
			subject={state.value?.store ?? '…'}
			navigation={navigationOf(current)}
			tools={<Freshness of={[live, state]} />}
		>
			<Connection live={live} state={state} />
			<LookUp query={query} />
			<View key={current} query={query} state={state} live={live} />
		</Shell>
	);
}

function navigationOf(current: string): NavigationGroup[] {
	const items = Object.entries(views)
		// A history is of one URL: the form above each view leads to it.
		.filter(([name]) => name !== 'url' || current === 'url')
		.map(([name, { title, icon }]) => ({
			title,
			icon,
			href: viewAddress({ view: name === '' ? undefined : name }),
			isCurrent: name === current,
		}));
	return [{ items }];
}

/** Said when the server does not respond or wants a key. */
function Connection({ live, state }: Pick<ViewProps, 'live' | 'state'>) {
	if (live.error === undefined) return null;
	if (/the key is missing/.test(live.error))
		return <KeyForm reload={() => [live, state].map((each) => each.reload())} />;
	const last = live.at === undefined ? '' : ` The figures below are of ${timeOfDay(live.at)}.`;
	return (
		<Notice tone="bad" title="The crawl does not respond: it has ended or was stopped.">
			<p>
				{`This page goes on by itself when the crawl runs again: repeat the same command, or run wayleave store ui for the store.${last}`}
			</p>
		</Notice>
	);
}

function KeyForm({ reload }: { reload: () => void }) {
	const [error, setError] = useState<string>();
	const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
		event.preventDefault();
		const key = readKey(String(new FormData(event.currentTarget).get('key') ?? ''));
		if (key === undefined) return setError('This holds no key: paste the whole address, from http:// to its end.');
		useKey(key);
		reload();
	};
	return (
		<Notice tone="warn" title="This page needs the key of the crawl.">
			<p>Open the address that the command printed, or paste it here. Other users of this machine do not have it.</p>
			<form class="form-row" onSubmit={submit}>
				<TextField label="Address with the key" name="key" type="password" error={error} required />
				<button type="submit" class="primary">
					Open
				</button>
			</form>
		</Notice>
	);
}

/** From any view to the history of a URL. */
function LookUp({ query }: { query: URLSearchParams }) {
	const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
		event.preventDefault();
		const text = String(new FormData(event.currentTarget).get('url') ?? '').trim();
		const url = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`;
		navigate(viewAddress({ view: 'url', url }));
	};
	return (
		<form class="form-row look-up" aria-label="History of a URL" onSubmit={submit}>
			<TextField
				key={query.get('url') ?? ''}
				label="Why was this URL fetched, or not?"
				name="url"
				inputMode="url"
				placeholder="https://example.com/page"
				defaultValue={query.get('url') ?? ''}
				required
			/>
			<button type="submit" class="primary">
				Explain
			</button>
		</form>
	);
}
