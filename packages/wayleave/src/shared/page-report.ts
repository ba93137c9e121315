import { explainReason, findChromium, type Result } from '@wayleave/crawler';
import { limitTexts, obligationTexts } from '@wayleave/protocols/policy';
import { manyLines, oneLine, placeOf } from '@wayleave/protocols/text';
import { exitCodes, type Terminal } from '../terminal/command.ts';
import { type RenderFlags, withoutBrowser } from './options/render.ts';
import { tellFailure } from './output/tell-failure.ts';

/**
 * Whether the page says anything, as an exit code. A page that its scripts make says nothing as it is sent: that it was
 * had must not look like success.
 */
export function tellContent(
	{ document }: Result,
	flags: RenderFlags & { readonly forceRefresh?: boolean },
	terminal: Terminal,
): number {
	if (document?.source.render_mode === 'static_after_render_failure')
		terminal.note('the browser could not render the page; this is its HTML as sent\n');
	if (document === undefined || document.content.markdown.trim() !== '') return exitCodes.ok;
	const stored = document.cache?.body_fetched === false;
	const advice = [
		...((flags.render ?? 'never') === 'never' ? ['--render auto'] : []),
		...(stored && flags.forceRefresh !== true ? ['--force-refresh'] : []),
	];
	const next =
		advice.length === 0 ? '' : `; if its scripts produce the content, render it in a browser: ${advice.join(' ')}`;
	const message =
		document.source.render_mode === 'rendered'
			? 'the page has no content, even when rendered in a browser'
			: `the HTML of the page has no content${next}`;
	// The document itself is on stdout already.
	return tellFailure(terminal, {}, { code: 'no-content', message });
}

/** With `auto` the page is had all the same. */
export function tellMissingBrowser({ render, chromium }: RenderFlags, terminal: Terminal): void {
	if (render === 'auto' && findChromium(chromium) === undefined) terminal.note(`${withoutBrowser}\n`);
}

/** Prints the obligations for using the page. */
export function tellTerms(result: Result, terminal: Terminal): void {
	const { obligations = {}, limits = {} } = result.policy ?? {};
	for (const text of [...obligationTexts(obligations), ...limitTexts(limits)])
		terminal.note(`terms of the site: ${oneLine(text)}\n`);
	for (const { text } of result.policy?.licences ?? [])
		terminal.note(`terms of the site: a licence (RSL), which is not read: ${oneLine(text)}\n`);
}

/** Says why there is no document. */
export function tellNoDocument(result: Result, flags: { readonly json?: boolean }, terminal: Terminal): number {
	const { outcome, reason, url, evidence } = result;
	const details = { outcome, url, ...(evidence !== undefined && evidence.length > 0 && { evidence }) };
	const failure = { code: reason ?? outcome, message: explainFailure(result), ...details };
	return tellFailure(terminal, flags, failure);
}

/** Why there is no document: the outcome, the reason, and the line that decided. */
export function explainFailure(result: Result): string {
	const reason = result.reason === undefined ? '' : ` (${result.reason}): ${explainReason(result.reason)}`;
	const detail = result.detail === undefined ? '' : `\n  ${result.detail}`;
	const evidence = (result.evidence ?? []).map((one) => `\n  ${placeOf(one)}  ${one.text.trim()}`);
	return manyLines(`${result.outcome}${reason}\n  ${result.url}${detail}${evidence.join('')}`);
}
