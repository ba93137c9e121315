import { bytes, Empty, Loaded, Notice, Section, useResource } from '../../ui/index.ts';
import type { ViewProps } from '../crawl-view.tsx';
import type { HistoryPage, ShownUrl } from '../data.ts';
import { DocumentParts } from '../document-parts.tsx';
import { Noticed } from '../noticed.tsx';
import { Facts, Outcome, UrlLink, UrlTable, viewAddress, When } from '../parts.tsx';
import { outcomeOf } from '../words.ts';

/** Everything that the store knows of one URL. */
export function HistoryView({ query }: ViewProps) {
	const url = query.get('url') ?? '';
	const history = useResource<HistoryPage>(
		url === '' ? undefined : `api/history?${new URLSearchParams({ url })}`,
		10_000,
	);
	if (url === '') return <Empty title="Enter a URL above." />;
	return (
		<Loaded of={history}>
			{(page) => (page.history === undefined ? <Unknown page={page} /> : <Known page={page} />)}
		</Loaded>
	);
}

/** A URL that the crawl never saw. */
function Unknown({ page }: { page: HistoryPage }) {
	const { url, near, policyFiles } = page;
	return (
		<div class="stack">
			<Notice tone="warn" title="The crawl has never seen this URL.">
				<p class="url">{url}</p>
				<p>
					No page that it read links to the URL, and no sitemap or feed lists it; or it is written in another way there.
					To crawl it, pass it as a start URL.{' '}
					{policyFiles.length === 0 && 'The crawl has not visited its site either.'}
				</p>
			</Notice>
			<Section title="Known URLs that begin alike">
				<UrlTable caption="Known URLs that begin alike" urls={near} empty="None." />
			</Section>
			{policyFiles.length > 0 && <PolicyFiles page={page} />}
		</div>
	);
}

type Known = NonNullable<HistoryPage['history']>;

function Known({ page }: { page: HistoryPage }) {
	const { history, chain, omitted, leadsTo, url } = page;
	if (history === undefined) return null;
	const { outcome, why, detail, evidence } = history;
	return (
		<div class="stack">
			<Notice tone={outcomeOf(outcome).tone} title={verdictOf(history)}>
				<p class="url">{url}</p>
				{why !== undefined && <p>The reason: {why}.</p>}
				{detail !== undefined && <p>{detail}</p>}
				{evidence.map(({ source, line, text }) => (
					<p key={`${source} ${line}`}>
						The deciding line: <code>{`${source}:${line}`}</code> <code class="deciding">{text.trim()}</code>
					</p>
				))}
				{leadsTo !== undefined && (
					<p>
						It leads to <UrlLink url={leadsTo.url} /> <Outcome of={leadsTo.outcome} />
					</p>
				)}
			</Notice>
			<Section
				title="How the crawl came here"
				note="From a start URL to this one: each page was found on the page before it."
			>
				<Chain chain={chain} omitted={omitted} />
			</Section>
			{history.page !== undefined && history.kind === 'page' && <DocumentParts url={url} />}
			<Section title="Changes that the watch has found">
				<Noticed url={url} caption="Watched changes of this page" />
			</Section>
			<div class="columns">
				<Section title="Record">
					<Facts facts={recordOf(history)} />
				</Section>
				<PolicyFiles page={page} />
			</div>
		</div>
	);
}

function verdictOf({ outcome, host, due, isSeed, attempts }: Known): string {
	if (outcome === undefined) {
		if (host === undefined) return 'It waits for a visit.';
		return due === undefined
			? `It waits for a visit, with ${host.waiting} URLs of ${host.name}.`
			: `It is tried again, not before ${due}.`;
	}
	const verdicts: Readonly<Record<string, string>> = {
		fetched: 'It was fetched.',
		unchanged: attempts > 0 ? 'It was checked and has not changed.' : 'It was not requested: it has not changed.',
		gone: 'It is gone: the site does not have it any more.',
		refused: 'It was not fetched: the policy of the site forbids it.',
		failed: 'It could not be fetched.',
		deferred: 'It was put off to a later run.',
		'out-of-scope': 'It was found and left out.',
	};
	return `${isSeed ? 'A start URL. ' : ''}${verdicts[outcome] ?? outcomeOf(outcome).about}`;
}

function Chain({ chain, omitted }: { chain: readonly ShownUrl[]; omitted: number }) {
	return (
		<ol class="chain">
			{chain.map((link, at) => (
				<li key={link.url} aria-current={at === chain.length - 1 ? 'true' : undefined}>
					<UrlLink url={link.url} /> <Outcome of={link.outcome} />
					{link.why !== undefined && <span class="soft"> {link.why}</span>}
					{at === 0 && omitted > 0 && <p class="soft">… {omitted} pages in between</p>}
				</li>
			))}
		</ol>
	);
}

function recordOf(history: Known): (readonly [string, preact.ComponentChildren])[] {
	const { kind, depth, status, at, attempts, due, host, page, revisit, manifest } = history;
	return [
		['Kind', kind],
		['Links from a start URL', depth],
		['Visited', at === undefined ? 'never' : <When at={at} />],
		['Visits since it was queued', attempts],
		...(status === undefined ? [] : [['Status', status] as const]),
		...(due === undefined ? [] : [['Not before', <When key="due" at={due} />] as const]),
		...(host === undefined
			? []
			: [
					[
						'Host',
						<a key="host" href={viewAddress({ view: 'urls', host: host.name })}>
							{host.name}
						</a>,
					] as const,
					['Host waits until', host.isHeld ? 'it is being visited now' : <When at={host.nextAt} />] as const,
				]),
		...(page === undefined ? [] : pageFacts(page)),
		...(revisit === undefined
			? []
			: ([
					['Checks that saw a change', `${Math.round(revisit.changes)} of ${Math.round(revisit.visits)}`],
					['Next check', <When key="next" at={revisit.nextAt} />],
				] as const)),
		...(manifest === undefined ? [] : [['Manifest of the site', manifest] as const]),
	];
}

function pageFacts(page: NonNullable<Known['page']>): (readonly [string, preact.ComponentChildren])[] {
	const { fetchedAt, checkedAt, etag, lastModified, uses, terms, readAs, archive } = page;
	return [
		['Document', page.bytes === 0 ? 'not kept' : `${bytes(page.bytes)}, compressed`],
		['Fetched', <When key="fetched" at={fetchedAt} />],
		['Last seen', <When key="checked" at={checkedAt} />],
		...(etag === undefined ? [] : [['ETag', <code key="etag">{etag}</code>] as const]),
		...(lastModified === undefined ? [] : [['Last-Modified', lastModified] as const]),
		...(readAs === undefined ? [] : [['Read as', readAs] as const]),
		...(Object.keys(uses).length === 0
			? []
			: [
					[
						'Uses',
						Object.entries(uses)
							.map((use) => use.join(': '))
							.join(', '),
					] as const,
				]),
		...(terms.length === 0 ? [] : [['Terms of the site', terms.join('; ')] as const]),
		...(archive === undefined ? [] : [['Archive', <code key="archive">{archive}</code>] as const]),
	];
}

function PolicyFiles({ page }: { page: HistoryPage }) {
	return (
		<Section title="Policy files of the site" note="As last fetched.">
			{page.policyFiles.length === 0 ? (
				<Empty title="None is stored." />
			) : (
				<ul class="policy-files">
					{page.policyFiles.map(({ url, status, fetchedAt, expiresAt }) => (
						<li key={url}>
							<code>{url}</code>
							<p class="soft">
								status {status}, fetched <When at={fetchedAt} />, valid until <When at={expiresAt} />
							</p>
						</li>
					))}
				</ul>
			)}
		</Section>
	);
}
