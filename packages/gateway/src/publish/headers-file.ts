import { manifestPath } from '@wayleave/protocols/pagedigest';
import { somMediaTypes } from '@wayleave/protocols/som';
import { markBlock, stripMarks } from '../terms/marks.ts';
import { type PageTermsInput, pageHeaders } from '../terms/page-terms.ts';

/** Hosts that read the file take about a hundred rules: pages get one each as long as there are not more than this. */
export const maxPageRules = 80;

const text = 'text/plain; charset=utf-8';

/** Headers of all pages, and of the few with a `Link` to a representation of their own. */
export interface HeaderDraft {
	readonly everywhere: PageTermsInput;
	readonly pages: readonly { readonly key: string; readonly terms: PageTermsInput }[];
	readonly origin: string;
}

/**
 * The `_headers` file that many static hosts read: media types of our files, and what responses say about their use.
 * The rules of the site itself stay; ours stand behind them, between marks.
 */
export function mergeHeaders(own: string, draft: HeaderDraft): string {
	const lines = own.split(/\r\n|\n/);
	if (lines.at(-1) === '') lines.pop();
	return [...stripMarks(lines), ...markBlock(rules(draft))].map((line) => `${line}\n`).join('');
}

function rules({ everywhere, pages, origin }: HeaderDraft): string[] {
	const everywhereHeaders = pageHeaders(everywhere, origin);
	const ofPages = pages.length > maxPageRules ? [] : pages;
	return [
		...rule('/robots.txt', { 'content-type': text }),
		...rule('/robots2.txt', { 'content-type': text }),
		...rule('/.well-known/aiwebindex-verify.txt', { 'content-type': text }),
		...rule(manifestPath, { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' }),
		...rule('/*.som.json', { 'content-type': somMediaTypes['SOM/1.0'] }),
		...rule('/*.md', { 'content-type': `${somMediaTypes.markdown}; charset=utf-8` }),
		...rule('/*', everywhereHeaders),
		// Headers of several matching rules are joined: only what the page has beyond all.
		...ofPages.flatMap(({ key, terms }) => {
			const { link } = pageHeaders({ ...terms, manifest: false }, origin + key);
			return link === undefined ? [] : rule(key, { link });
		}),
	];
}

function rule(path: string, headers: Readonly<Record<string, string>>): string[] {
	const fields = Object.entries(headers).filter(([, value]) => value !== '');
	return fields.length === 0 ? [] : [path, ...fields.map(([name, value]) => `  ${capitals(name)}: ${value}`)];
}

function capitals(name: string): string {
	return name.replace(/(^|-)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}
