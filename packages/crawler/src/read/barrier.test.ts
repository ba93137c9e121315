import { describe, expect, it } from 'vitest';
import { barrierOf } from './barrier.ts';

const password = '<form><input name="p" type="password"></form>';
const banner = '<div class="cookie-banner">We use cookies to improve your visit. Accept?</div>';

describe('barriers in front of the content of a page', () => {
	it.each([
		['scripts', '', '', true],
		['scripts', '', 'Loading…', true],
		['scripts', '', 'Please wait', true],
		['scripts', '', 'JavaScript is disabled in your browser.', true],
		['scripts', '', 'Veuillez activer JavaScript pour continuer.', true],
		['login', password, '', false],
		['login', password, 'Sign in Forgot your password?', false],
		['login', password, 'Anmelden Passwort vergessen?', false],
		['login', '', 'You must log in to view this page.', false],
		['login', '', 'Login required', false],
		['login', password, '', true],
		['consent', banner, '', false],
		['consent', '', 'This website uses cookies. Please accept to continue.', false],
		['consent', '', 'Diese Website verwendet Cookies.', false],
	] as const)('%s: %s %s', (barrier, html, text, dependsOnScripts) => {
		expect(barrierOf(html, text, dependsOnScripts)).toBe(barrier);
	});

	it.each([
		['', 'The shop is closed today.', true],
		['', 'JavaScript is a language of the web, and this page is about it.', true],
		[password, 'High water is at noon.', false],
		[`${password}${banner}`, 'High water is at noon, low water at six in the evening.', false],
		['', 'Cookies with butter and sugar, for twelve people.', false],
		['', '', false],
		[banner.replace('cookie-banner', 'note').replace('cookies', 'biscuits'), '', false],
		[password, 'How to log in to your router. '.repeat(20), false],
	])('no barrier: %s %s', (html, text, dependsOnScripts) => {
		expect(barrierOf(html, text, dependsOnScripts)).toBeUndefined();
	});

	it.each([
		['<input ', ''],
		['<input type ', ''],
		['<', ''],
		["class='", ''],
		['id = "cookie', ''],
		['<div class="consent">we ', ''],
		['cookies ', ''],
	])('a page of %j alone takes no time', (piece, text) => {
		const html = piece.repeat(1_000_000 / piece.length);
		const begin = performance.now();
		barrierOf(html, text, true);
		expect(performance.now() - begin).toBeLessThan(1000);
	});
});
