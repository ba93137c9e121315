import type { Page } from '@wayleave/extract';
import { shownLength } from './depends-on-scripts.ts';

/** Characters; a page with more text than this has content, regardless of the barrier before it. */
const fewCharacters = 400;

/** Characters of the page that are searched for a form or a banner. */
const searched = 100_000;

const passwordField = /<input\b[^>]{0,500}?\btype\s*=\s*["']?password\b/i;
/** Words of a sign-in form in English, German and French. */
const namesLogin = /\b(?:(?:sign|log)[ -]?in|login|password|passwort|anmelden|einloggen|connexion|mot de passe)\b/i;
/** Sentences that ask for a login, in English, German and French. */
const asksForLogin =
	/\b(?:sign|log) ?in (?:to|and) (?:continue|read|view|access|see)|\b(?:please|you (?:must|need to|have to)) (?:sign|log) ?in\b|\blog-?in (?:is )?required|bitte (?:melden sie sich|einloggen|anmelden)|connectez-vous/i;
/** An element named like a consent banner or a known consent vendor. */
const consentBox =
	/\b(?:id|class)\s*=\s*["'][^"'<>]{0,200}?(?:cookie|consent|gdpr|onetrust|didomi|cmp-|sp_message|usercentrics|borlabs)/i;
/** Sentences about the site's cookies, not about biscuits: who uses them, or a request to accept them. */
const asksForConsent =
	/\b(?:we|our partners|this (?:site|website)|diese (?:seite|website)|wir|nous)\b[^.]{0,80}\bcookies?\b|\bcookies?\b[^.]{0,80}\b(?:accept|consent|continue|akzeptieren|accepter)/i;
/** Sentences that ask for JavaScript, in English, German and French. */
const asksForScripts =
	/\b(?:enable|activate|turn on|requires?|needs?|without|aktivieren|activer)\b[^.]{0,60}\bjava ?script\b|\bjava ?script\b[^.]{0,60}\b(?:enabled?|disabled|required|needed|turned off|aktivieren|deaktiviert|désactivé|activer)/i;
/** The whole text of a page that only says that it is loading. */
const isWaiting = /^(?:#+ )?(?:loading|please wait|one moment|wird geladen|chargement)\s*(?:\.{3}|…)?$/i;

/**
 * The barrier between a reader and the content of a page that was sent without it. Undefined if the page has text of
 * its own, however short, or if nothing shows why it is empty.
 *
 * @param text the main content, as far as it was found
 * @param dependsOnScripts whether the page looks as if scripts create its content
 */
export function barrierOf(html: string, text: string, dependsOnScripts: boolean): Page['barrier'] {
	// Text blocks have little white space: the beginning of a long one is enough.
	const beginning = text.slice(0, 2 * fewCharacters);
	if (shownLength(beginning) > fewCharacters) return undefined;
	const shown = beginning.replace(/\s+/g, ' ').trim();
	const head = html.slice(0, searched);
	if (isLogin(head, shown)) return 'login';
	if (dependsOnScripts && (asksForScripts.test(shown) || isWaiting.test(shown))) return 'scripts';
	if (isConsent(head, shown)) return 'consent';
	return shown === '' && dependsOnScripts ? 'scripts' : undefined;
}

function isLogin(html: string, shown: string): boolean {
	if (shown.length < 100 && asksForLogin.test(shown)) return true;
	if (!passwordField.test(html)) return false;
	return shown === '' || asksForLogin.test(shown) || (shown.length < 150 && namesLogin.test(shown));
}

function isConsent(html: string, shown: string): boolean {
	if (shown !== '') return shown.length < 250 && asksForConsent.test(shown);
	return consentBox.test(html) && asksForConsent.test(html.replace(/<[^<>]{0,1000}>/g, ' '));
}
