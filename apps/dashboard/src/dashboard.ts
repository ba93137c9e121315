import { queryOf, readView } from './address.ts';
import { showAgentFacts, showAgents } from './agents.ts';
import { showActions, showIdentity } from './bars.ts';
import { type Figures, periods, readFigures } from './data.ts';
import { byId, element } from './element.ts';
import { fillFilterForm, pointDownloads, prepareFilterForm, showFilters } from './filters.ts';
import { timeOfDay } from './format.ts';
import { showHealth } from './health.ts';
import { showDenied, showFetched } from './paths.ts';
import { showPolicy } from './policy.ts';
import { showRequests } from './requests.ts';
import { showRules } from './rules.ts';
import { showTimeline } from './timeline.ts';
import { showTotals } from './totals.ts';

/** Milliseconds between two readings. */
const pace = 5000;

let paused = false;
let timer: number | undefined;
let reading: AbortController | undefined;
const shown = new Map<string, string>();

/** Puts what is new in its place; what has not changed stays, with what is open and selected in it. */
function place(id: string, data: unknown, make: () => Node[]): void {
	const text = JSON.stringify(data);
	if (shown.get(id) === text) return;
	shown.set(id, text);
	const parent = byId(id);
	const open = new Set([...parent.querySelectorAll('details[open]')].map((each) => each.getAttribute('data-key')));
	parent.replaceChildren(...make());
	for (const each of parent.querySelectorAll('details')) each.open = open.has(each.getAttribute('data-key'));
}

function show({ overview, requests, rules, paths, policy, health }: Figures): void {
	const { agents, totals, identity, actions, slices, observing, site } = overview;
	const host = URL.canParse(site) ? new URL(site).host : site;
	byId('site').textContent = host;
	document.title = `Agents at ${host}`;
	byId('mode').textContent = observing ? 'Observing only: no client is denied' : 'The policy is enforced';
	byId('mode').className = observing ? 'mode observing' : 'mode';
	place('totals', [totals, agents.length, observing], () => showTotals(overview));
	place('time', [slices, observing], () => showTimeline(overview));
	place('identity', identity, () => showIdentity(overview));
	place('actions', actions, () => showActions(overview));
	place('agents', agents, () => showAgents(agents));
	const oneAgent = readView().filters.agent !== undefined;
	place('agent', [oneAgent, agents], () => (oneAgent ? showAgentFacts(agents) : []));
	place('rules', rules, () => showRules(rules));
	place('fetched', paths.fetched, () => showFetched(paths));
	place('denied', paths.denied, () => showDenied(paths));
	place('requests', requests, () => showRequests(requests));
	place('health', health, () => showHealth(health));
	place('policy', policy, () => showPolicy(policy));
}

function say(text: string, failed: boolean): void {
	const status = byId('status');
	status.textContent = text;
	status.classList.toggle('failed', failed);
}

async function read(): Promise<void> {
	reading?.abort();
	clearTimeout(timer);
	reading = new AbortController();
	const { signal } = reading;
	try {
		show(await readFigures(queryOf(readView()), signal));
		say(`Read at ${timeOfDay(Date.now())}${paused ? '; paused' : ''}`, false);
	} catch (error) {
		if (signal.aborted) return;
		const why = error instanceof Error ? error.message : String(error);
		const next = paused ? 'Paused.' : `Trying again in ${pace / 1000} seconds.`;
		say(`The statistics cannot be read (${why}). ${next}`, true);
	}
	if (!paused) timer = setTimeout(read, pace);
}

const form = byId('filter') as HTMLFormElement;

/** Shows the view that the address names. */
function showView(): void {
	const view = readView();
	shown.clear();
	byId('filters').replaceChildren(...showFilters(view));
	fillFilterForm(form, view);
	pointDownloads(view);
	byId('periods').replaceChildren(
		element('legend', { class: 'quiet' }, 'Period'),
		...Object.entries(periods).map(([name, label]) => {
			const input = element('input', { type: 'radio', name: 'period', value: name, checked: name === view.period });
			input.addEventListener('change', () => go(queryOf({ ...readView(), period: name as keyof typeof periods })));
			return element('label', {}, input, element('span', {}, label));
		}),
	);
	void read();
}

/** Leads to another view: the browser's way back returns to this one. */
function go(query: string): void {
	history.pushState(null, '', query);
	const focused = document.activeElement?.getAttribute('value');
	showView();
	// `showView` replaces the radio buttons: the new one of the same value gets the focus of the old one.
	for (const input of byId('periods').querySelectorAll('input')) if (input.value === focused) input.focus();
}

byId('pause').addEventListener('click', ({ currentTarget }) => {
	paused = !paused;
	(currentTarget as HTMLElement).setAttribute('aria-pressed', String(paused));
	void read();
});
prepareFilterForm(form, go);
addEventListener('popstate', showView);
document.addEventListener('click', (event) => {
	const link = event.target instanceof Element ? event.target.closest('a') : null;
	const plain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0);
	if (!plain || !link?.getAttribute('href')?.startsWith('?')) return;
	event.preventDefault();
	go(link.search);
});
showView();
