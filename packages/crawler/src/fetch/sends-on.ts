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
	const { answer, url } = arrived;
	if (answer.status !== 200 && answer.status !== 203) return undefined;
	const header = headerRefresh(answer.headers, url);
	const head = Buffer.from(answer.body.buffer, answer.body.byteOffset, Math.min(answer.body.length, searched));
	const mayRefresh = /http-equiv\s*=\s*["']?\s*refresh/i.test(head.toString('latin1'));
	if (header === undefined && !mayRefresh) return undefined;
	const kind = kindOfContent(statedType(answer.headers), answer.body);
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

/** Inside `<noscript>` it is for readers without scripts; for all others the page stays a page if it has text. */
function isRedirect(
	{ seconds, noscript = false }: { readonly seconds: number; readonly noscript?: boolean },
	reading: PageReading | undefined,
): boolean {
	const isShort = (reading?.document.content.markdown ?? '').trim().length < littleText;
	return noscript || seconds >= 1 ? isShort && seconds <= shortRefresh : true;
}
