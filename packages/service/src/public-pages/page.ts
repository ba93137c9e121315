import { sha256 } from '@wayleave/io/hash';
import { Html, html } from '@wayleave/io/listen';
import { pageStyle } from './style.ts';

/** Code to copy: a click selects all of it. */
export const sample = (text: string): Html => html`<pre class="sample"><code>${text}</code></pre>`;

/** The only style that browsers apply: the policy names its hash. */
const styleHash = `'sha256-${Buffer.from(sha256(new TextEncoder().encode(pageStyle))).toString('base64')}'`;

const policyOf = (hasForm: boolean): string =>
	`default-src 'none'; style-src ${styleHash}; base-uri 'none'; form-action ${hasForm ? "'self'" : "'none'"}; frame-ancestors 'none'`;

/** The pages that the head of each page links. */
const links = [
	['/', 'Start'],
	['/documents', 'Documents'],
	['/domains', 'Domains'],
	['/keys', 'Keys'],
	['/reference', 'API reference'],
	['/register', 'Register'],
	['/health', 'Health'],
	['/bot', 'Crawler'],
] as const;

export type PagePath = (typeof links)[number][0];

export interface PageOptions {
	readonly title: string;
	readonly main: Html;
	/** Prefix of links. */
	readonly base: string;
	/** The page itself, if the head links it. */
	readonly path?: PagePath;
	readonly hasForm?: boolean;
	readonly headers?: Readonly<Record<string, string>>;
	readonly status?: number;
}

/** A page of the service: no script, nothing from elsewhere. */
export function pageResponse({
	title,
	main,
	base,
	path,
	hasForm = false,
	headers,
	status = 200,
}: PageOptions): Response {
	const items = links.map(([to, name]) =>
		to === path
			? html`<li><a href="${base}${to}" aria-current="page">${name}</a></li>`
			: html`<li><a href="${base}${to}">${name}</a></li>`,
	);
	const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(pageStyle)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="brand" href="${base}/">Wayleave<span>AIWebIndex service</span></a>
<nav aria-label="Pages"><ul>${items}</ul></nav>
</header>
<main id="main">
${main}
</main>
</body>
</html>
`;
	return new Response(body.text, {
		status,
		headers: {
			'content-type': 'text/html; charset=utf-8',
			'content-security-policy': policyOf(hasForm),
			'x-content-type-options': 'nosniff',
			// With `no-referrer` a browser would send `Origin: null` with a form.
			'referrer-policy': hasForm ? 'same-origin' : 'no-referrer',
			'cache-control': hasForm ? 'no-store' : 'public, max-age=300',
			...headers,
		},
	});
}
