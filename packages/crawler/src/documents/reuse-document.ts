import { present } from '@wayleave/protocols';
import type { Ending } from '../model/outcome.ts';
import type { Permitted } from '../policy/policy-checker.ts';
import { signalsOf } from '../response/policy-headers.ts';
import type { DocumentContext } from './context.ts';
import { emitDocument, fromStore, isReadOtherwise } from './emit-document.ts';
import type { ProcessedResponse } from './processed-response.ts';
import { restated, validatorsOfCopy } from './stored-copy.ts';

/**
 * A page that is not asked for: its stored document, handed out once more on the terms of today. Nothing is written but
 * the outcome, unless the terms are others: then the copy gets them, or goes where the site no longer lets us keep it.
 */
export async function reuseDocument(
	url: string,
	ending: Ending,
	permit: Permitted,
	context: DocumentContext,
): Promise<ProcessedResponse> {
	if (ending.outcome !== 'unchanged') return { ending };
	const snapshot = await context.store.pages.snapshot(url);
	if (snapshot === undefined) return { ending };
	const { page, representation, fetchedAt, terms = [] } = snapshot;
	const now = permit.withPage(signalsOf(url, page, terms));
	if (!now.permitted) return { ending: now.ending, evidence: now.evidence };
	if (isReadOtherwise(snapshot, context)) context.onOutdated?.(url);
	const cache = { status: 'hit', origin_contacted: false, body_fetched: false } as const;
	const emitted = present({
		document: fromStore(snapshot.document, context, cache),
		policy: now.note,
		page,
		representation,
	});
	const { content, ...processed } = emitDocument(ending, now, emitted, validatorsOfCopy(snapshot), { fetchedAt });
	const kept = now.store === 'yes' ? restated(snapshot, now.note, terms) : content;
	return kept === undefined ? processed : { ...processed, content: kept };
}
