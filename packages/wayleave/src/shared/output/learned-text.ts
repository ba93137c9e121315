import type { LearnedAddresses, LearnedHost } from '@wayleave/crawler';
import { oneLine, quantity } from '@wayleave/protocols/text';

/** The learned address patterns of a crawl, for people. */
export function learnedText({ hosts, aliases, examples }: LearnedAddresses): string {
	const lines = [
		...hosts.flatMap((host) => [host.host, ...learnedLines(host).map((line) => `  ${line}`)]),
		`${quantity(aliases, 'address', 'addresses')} of pages that are kept under another one${examples.length > 0 ? ', such as' : ''}`,
		...examples.map(({ url, page }) => `  ${url} of ${page}`),
	];
	return `${lines.map(oneLine).join('\n')}\n`;
}

/** One line for each pattern, with its numbers. */
export function learnedLines({ idle, exhausted, shells, routes }: LearnedHost): string[] {
	const left = (count: number) => `${quantity(count, 'address', 'addresses')} left out`;
	return [
		...idle.map(({ part, alike, said, leftOut }) => {
			const how =
				said > 0 ? `${quantity(said, 'page')} named the address without it` : `${quantity(alike, 'comparison')} alike`;
			return `${part} does not change a page: ${alike > 0 ? how : 'a session'}; ${left(leftOut)}`;
		}),
		...exhausted.map(
			({ form, visits, fresh, leftOut }) =>
				`${form} brought something new in ${fresh} of ${quantity(visits, 'visit')}; ${left(leftOut)}`,
		),
		...(routes === undefined
			? []
			: [`${quantity(routes.same, 'route')} after # showed the page itself; ${left(routes.leftOut)}`]),
		...shells.map(
			({ page, copies, leftOut }) =>
				`${page} is sent for other addresses too: ${quantity(copies, 'copy', 'copies')}; ${left(leftOut)}`,
		),
	];
}
