/** Text as it may stand in HTML, in attributes too. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** HTML that needs no escaping any more. */
export class Html {
	readonly text: string;

	constructor(text: string) {
		this.text = text;
	}
}

type Part = string | number | Html | readonly Html[] | undefined | false;

/** A template whose values are escaped, unless they are HTML already. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
	return new Html(strings.reduce((text, piece, index) => text + render(parts[index - 1]) + piece));
}

function render(part: Part): string {
	if (part === undefined || part === false) return '';
	if (part instanceof Html) return part.text;
	return Array.isArray(part) ? part.map(({ text }: Html) => text).join('\n') : escapeHtml(String(part));
}

const style = `:root{color-scheme:light dark;--ink:#1d2428;--paper:#fdfdfb;--line:#c9d0d2;--soft:#5a666b;--link:#0b5c8a}
@media(prefers-color-scheme:dark){:root{--ink:#e6eaeb;--paper:#15191b;--line:#3a4347;--soft:#a3afb4;--link:#7cc4ee}}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,sans-serif}
main{max-width:44rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.75rem;line-height:1.25;margin:0 0 1rem}h2{font-size:1.2rem;margin:2.25rem 0 .5rem}
a{color:var(--link)}code,pre{font:.9em/1.5 ui-monospace,monospace}
pre{overflow-x:auto;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.375rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.35rem 1.25rem}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
@media(max-width:36rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.6rem}}
form{margin:1.5rem 0}label{display:block;margin-bottom:.35rem}.row{display:flex;flex-wrap:wrap;gap:.5rem}
input{flex:1 1 16rem;min-width:0;padding:.55rem .7rem;font:inherit;color:inherit;background:transparent;border:1px solid var(--soft);border-radius:.375rem}
button{padding:.55rem 1.1rem;font:inherit;color:var(--paper);background:var(--link);border:0;border-radius:.375rem;cursor:pointer}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}pre.text{white-space:pre-wrap;overflow-wrap:anywhere}
.soft{color:var(--soft)}article{border-top:1px solid var(--line);padding-top:.5rem;margin-top:1.5rem}`;

/** A page of the service: no script, nothing from elsewhere. */
export function pageResponse(
	title: string,
	main: Html,
	headers: Readonly<Record<string, string>> = {},
	status = 200,
): Response {
	const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
<main>
${main.text}
</main>
</html>
`;
	return new Response(body, {
		status,
		headers: {
			'content-type': 'text/html; charset=utf-8',
			'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
			'x-content-type-options': 'nosniff',
			'referrer-policy': 'no-referrer',
			'cache-control': 'public, max-age=300',
			...headers,
		},
	});
}
