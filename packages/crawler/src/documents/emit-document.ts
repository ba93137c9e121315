import type { Favor, Page } from '@wayleave/extract';
import type { FetchSuccess } from '@wayleave/io/http';
import { present } from '@wayleave/protocols';
import type { AIDocument, CacheInfo } from '@wayleave/protocols/aidocument';
import { metaRules, robotsTagRules } from '@wayleave/protocols/policy';
import { isEmptyDocument } from '../model/document-json.ts';
import type { Capture } from '../model/exchange.ts';
import { lacksFields } from '../model/fields.ts';
import type { Ending } from '../model/outcome.ts';
import type { Result } from '../model/result.ts';
import type { Permitted } from '../policy/policy-checker.ts';
import type { Terms } from '../response/policy-headers.ts';
import type { Content, Snapshot } from '../store/roles/pages.ts';
import type { DocumentContext } from './context.ts';

/** Emits the document in any case; stores it only where the site allows that, and deletes the stored copy otherwise. */
export function emitDocument(
	ending: Ending,
	permit: Permitted,
	emitted: Kept,
	validators: Content,
	{ fetchedAt, capture, favor, terms }: Made,
) {
	if (permit.store === 'yes') {
		const made = { fetchedAt, ...(capture && { capture }), ...(favor && { favor }), ...(terms && { terms }) };
		return { ending, emitted, content: { ...validators, snapshot: { ...emitted, ...made } } };
	}
	const reason = permit.store === 'no' ? 'store-no' : 'store-session-only';
	return {
		ending: { ...ending, reason } as const,
		...(permit.storeEvidence.length > 0 && { evidence: permit.storeEvidence }),
		emitted,
		secret: true,
		content: { ...validators, snapshot: { fetchedAt } },
	};
}

/** When and from what a document was made, and how. */
interface Made {
	readonly fetchedAt: number;
	readonly capture?: Capture | undefined;
	readonly favor?: Favor | undefined;
	readonly terms?: Terms;
}

type Kept = Required<Pick<Result, 'document' | 'policy'>> & Pick<Result, 'page' | 'representation'>;

/** A stored document, as the outcome of this visit. */
export function fromStore(
	{ source, ...rest }: AIDocument,
	context: DocumentContext,
	cache: CacheInfo,
	fetchedAt = source.fetched_at,
): AIDocument {
	const freshness = present({ freshness_policy: context.freshnessPolicy, fetched_at: fetchedAt });
	return { ...rest, source: { ...source, ...freshness }, cache };
}

/** Whether the options of today would make another document of the same page. */
export function isReadOtherwise(snapshot: Snapshot, { settings }: DocumentContext): boolean {
	const { document, page, representation, favor } = snapshot;
	const { kind = 'html' } = representation ?? {};
	if (kind === 'som' || kind === 'accessibility-tree') return false;
	// Stored by an earlier version, which counted it as a success.
	if (isEmptyDocument(document)) return true;
	// Only HTML leaves open what its content is.
	const isFavored = kind === 'html' && favor !== settings.favor;
	return (
		isFavored || lacksFields(page, settings.fields?.digest) || (settings.economics && document.economics === undefined)
	);
}

export function forbidsFollowing(
	{ response }: { readonly response: FetchSuccess },
	page: Page,
	{ settings }: DocumentContext,
): boolean {
	const names = [settings.agent.token, settings.agent.name ?? settings.agent.token];
	const rules = [...metaRules(page.robots ?? [], names), ...robotsTagRules(response.headers, names)];
	return rules.some(({ rule }) => rule === 'nofollow' || rule === 'none');
}
