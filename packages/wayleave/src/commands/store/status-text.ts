import { explainReason, outcomes, type StoreStatus } from '@wayleave/crawler';
import { bytes, quantity } from '@wayleave/protocols/text';
import { pauseLines, sitemapLines } from '../../shared/output/summary.ts';

/** The status of a store, for people. */
export function statusText(status: StoreStatus): string {
	const { run, urls, hosts, pages, policyFiles, pending, waiting, outgoing = 0 } = status;
	const lines = [
		run === undefined
			? 'this store contains no crawl'
			: `last run: ${run.mode}, ${run.state}, ${run.startedAt}${run.endedAt === undefined ? '' : ` to ${run.endedAt}`}`,
		...(run?.state === 'killed' ? ['  it was interrupted: the next crawl resumes it'] : []),
		`${quantity(urls, 'URL')} on ${quantity(hosts, 'host')}, ${quantity(policyFiles, 'policy file')}`,
		`${quantity(pages.documents, 'document')} of ${bytes(pages.bytes)}, in a database of ${bytes(status.bytes)}`,
		...paragraph([...outcomeLines(status), ...sitemapLines(status.sitemaps), ...pauseLines(status.paused)]),
		'',
		pending === 0 ? 'no URL is waiting' : `${quantity(pending, 'URL')} waiting, including sitemaps`,
		...(outgoing === 0 ? [] : [`${quantity(outgoing, 'link')} waiting for the database of their hosts`]),
		...waiting.map(hostLine),
	];
	return `${lines.join('\n')}\n`;
}

/** After an empty line, where there is anything. */
function paragraph(lines: readonly string[]): readonly string[] {
	return lines.length === 0 ? [] : ['', ...lines];
}

function hostLine({ host, count, deferred, nextAt, held, abandoned }: StoreStatus['waiting'][number]): string {
	const putOff = deferred === 0 ? '' : `, ${count === 0 ? '' : `${deferred} more `}deferred to the next run`;
	const when = held ? ', being visited' : Date.parse(nextAt) > Date.now() ? `, not before ${nextAt}` : '';
	return `${String(count || deferred).padStart(14)}  ${host}${putOff}${when}${abandoned ? leftBehind : ''}`;
}

/** Of a host. */
export const leftBehind = ', left by a crawl that was killed: the next one resumes it';

function outcomeLines({ rows }: StoreStatus): string[] {
	return outcomes.flatMap((outcome) => {
		const own = rows.filter((row) => row.outcome === outcome);
		if (own.length === 0) return [];
		const reasons = new Map<string, number>();
		for (const { reason = '', count } of own) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
		const total = own.reduce((sum, { count }) => sum + count, 0);
		return [
			`${outcome.padEnd(14)}${String(total).padStart(7)}`,
			...[...reasons].flatMap(([reason, count]) =>
				reason === '' ? [] : [`${String(count).padStart(21)}  ${reason}: ${explainReason(reason as never)}`],
			),
		];
	});
}
