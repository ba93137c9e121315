import { normaliseUrl } from '../discover/normalise.ts';
import { headerRefresh } from '../discover/page-links.ts';
import { forbidsFollowing } from '../documents/emit-document.ts';
import type { PageReading } from '../read/read-page.ts';
import { kindOfContent, statedType } from '../response/classify.ts';
import type { CrawlContext } from './crawl-context.ts';
import { judge, read } from './process-response.ts';
import type { RedirectArrived } from './redirect-result.ts';

/**
 * Up to this many seconds, a refresh of a page with little text counts as a redirect; people read the sentence
 * meanwhile.
 */
const shortRefresh = 3;
/** The most characters of a page that only names its target. */
const littleText = 400;
/** Bytes that are searched for a `<meta http-equiv=refresh>`. */
const searched = 65_536;

/**
 * The target of an instant refresh in the head of a page or in a header: such a page is a redirect. Undefined for a
 * page that is itself read, including one that asks not to follow its links.
 */
export async function sendsOnTo(arrived: RedirectArrived, context: CrawlContext): Promise<string | undefined> {
	const { response, url } = arrived;
	if (response.status !== 200 && response.status !== 203) return undefined;
	const header = headerRefresh(response.headers, url);
	const head = Buffer.from(response.body.buffer, response.body.byteOffset, Math.min(response.body.length, searched));
	if (header === undefined && !mayRefresh(head)) return undefined;
	const kind = kindOfContent(statedType(response.headers), response.body);
	const reading =
		kind &&
		(await read(arrived, kind, { ...context, onSource: undefined, renderer: undefined }).catch(() => undefined));
	const page = reading?.page ?? {};
	if (!judge(arrived, page).permitted || forbidsFollowing(arrived, page, context)) return undefined;
	const refresh = page.refresh?.noscript === true ? (header ?? page.refresh) : (page.refresh ?? header);
	if (refresh === undefined || !isRedirect(refresh, reading)) return undefined;
	const target = normaliseUrl(refresh.url);
	return target === url ? undefined : target;
}

const refreshes = /^http-equiv\s*=\s*["']?\s*refresh/i;
/** Characters of such an attribute, with its white space. */
const maxAttribute = 256;

/** The letter is rare, and looked for natively; to make a text of each page takes far longer. */
function mayRefresh(head: Buffer): boolean {
	for (const letter of ['q', 'Q']) {
		const code = letter.charCodeAt(0);
		for (let at = head.indexOf(code); at >= 0; at = head.indexOf(code, at + 1)) {
			const start = at - 'http-e'.length;
			if (head[at - 2] !== hyphen || start < 0) continue;
			if (refreshes.test(head.toString('latin1', start, start + maxAttribute))) return true;
		}
	}
	return false;
}

const hyphen = '-'.charCodeAt(0);

/** Inside `<noscript>` it is for readers without scripts; for all others the page stays a page if it has text. */
function isRedirect(
	{ seconds, noscript = false }: { readonly seconds: number; readonly noscript?: boolean },
	reading: PageReading | undefined,
): boolean {
	const isShort = (reading?.document.content.markdown ?? '').trim().length < littleText;
	return noscript || seconds >= 1 ? isShort && seconds <= shortRefresh : true;
}
