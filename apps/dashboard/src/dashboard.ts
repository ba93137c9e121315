import { showAgents } from './agents.ts';
import { showActions, showIdentity } from './bars.ts';
import { type Figures, type PeriodName, periods, readFigures } from './data.ts';
import { byId, element } from './element.ts';
import { timeOfDay } from './format.ts';
import { showHealth } from './health.ts';
import { showPolicy } from './policy.ts';
import { showTimeline } from './timeline.ts';
import { showTotals } from './totals.ts';
import { showViolations } from './violations.ts';

/** Milliseconds between two readings. */
const pace = 5000;

let period: PeriodName = '24h';
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

function show({ overview, violations, policy, health }: Figures): void {
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
	place('violations', violations, () => showViolations(violations));
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
		show(await readFigures(period, signal));
		say(`Read at ${timeOfDay(Date.now())}${paused ? '; paused' : ''}`, false);
	} catch (error) {
		if (signal.aborted) return;
		const why = error instanceof Error ? error.message : String(error);
		const next = paused ? 'Paused.' : `Trying again in ${pace / 1000} seconds.`;
		say(`The statistics cannot be read (${why}). ${next}`, true);
	}
	if (!paused) timer = setTimeout(read, pace);
}

function choosePeriods(): void {
	byId('periods').append(
		...Object.entries(periods).map(([name, label]) => {
			const input = element('input', { type: 'radio', name: 'period', value: name, checked: name === period });
			input.addEventListener('change', () => {
				period = name as PeriodName;
				void read();
			});
			return element('label', {}, input, element('span', {}, label));
		}),
	);
}

byId('pause').addEventListener('click', ({ currentTarget }) => {
	paused = !paused;
	(currentTarget as HTMLElement).setAttribute('aria-pressed', String(paused));
	void read();
});
choosePeriods();
void read();
