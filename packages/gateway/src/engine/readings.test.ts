import { type Readings, readingPresets, spellingsOf } from '@wayleave/protocols/url';
import { describe, expect, it } from 'vitest';
import { checkConfig, parseConfig } from '../config/load.ts';
import type { ConfigInput } from '../config/schema.ts';
import type { Visit } from '../request/visit.ts';
import { createGateway } from './gateway.ts';

const origin = 'https://site.example.com';
const page = `<!doctype html><html lang="en"><title>Minutes</title><main><article><h1>Minutes</h1>
<p>The withheld minutes of the meeting say what nobody but the members of the board may read.</p>
<p>They are long enough to be taken for the text of a page, and they hold nothing else of interest.</p></article></main>`;

/** A gateway before a site that decodes, merges slashes, makes `/` of `\` and resolves dots, and then gives every page. */
function site(config: Omit<ConfigInput, 'origin'> = {}) {
	const fetched: string[] = [];
	let requests = 0;
	const gateway = createGateway(checkConfig({ origin, paths: { disallow: ['/private'] }, som: {}, ...config }), {
		maxClients: 100,
		origin: async (request) => {
			fetched.push(request.url);
			return new Response(page, { headers: { 'content-type': 'text/html' } });
		},
	});
	/** As it stood on the wire: no URL parser sees it before the gateway. */
	const visit = async (target: string, more: Partial<Visit> = {}, headers: Record<string, string> = {}) => {
		const fields: Record<string, string> = { host: 'site.example.com', 'user-agent': 'GPTBot/1.2', ...headers };
		const decided = await gateway.decide({
			method: 'GET',
			target,
			// No client asks so often that it is slowed down.
			address: `192.0.2.${++requests % 250}`,
			header: (name) => fields[name],
			...more,
		});
		const responded = await gateway.respond(decided);
		// What is not answered is forwarded: the site gives the page.
		return responded?.response.status ?? 200;
	};
	const som = (url: string) => visit(`/v1/som?url=${encodeURIComponent(url)}`);
	return { gateway, visit, som, fetched };
}

describe('the SOM endpoint reads an address as the front door does', () => {
	it.each([
		['G2-01', '//private/x.html'],
		['G2-01', '///private/x.html'],
		['G2-02', '/%2Fprivate/x'],
		['G2-02', '/%2f%2fprivate/x'],
		['G2-05', '/%70rivate/x'],
		['G2-05', '/a/../private/x'],
		['G2-05', '/private%2fx'],
		['G2-05', '/a/%2E%2e/private/x'],
		['G2-02', '/%5Cprivate/x'],
		['G2-06', '/;x/private/x'],
		['G2-02', '//other.example/private/x'],
		['G2-02', '/%C0%AFprivate/x'],
		['G2-02', '/%EF%BC%8Fprivate/x'],
		['G2-02', '/pri%E2%80%8Bvate/x'],
	])('%s: 403 for %s', async (_id, path) => {
		const { som, fetched } = site();
		expect(await som(origin + path)).toBe(403);
		expect(fetched).toEqual([]);
	});

	it.each([
		['G2-03', `${origin}/public/..%2fprivate/x`],
		['G2-03', `${origin}/public/%2e%2e%2fprivate/x`],
		['G2-03', `${origin}/public/..;/private/x`],
		['G2-04', `${origin}/\\/private/x`],
		['G2-04', `${origin}\\private/x`],
		['G2-04', `https:\\\\site.example.com/private/x`],
		['G2-04', `${origin}/\tprivate/x`],
		['G2-04', `${origin}/pri\nvate/x`],
		['G2-04', `\t${origin}/private/x`],
		['G2-04', `${origin}/private/x\0`],
		['G2-04', `${origin}/%00private/x`],
		['G2-04', `${origin}/%zz/private/x`],
		['G2-04', 'https://user@site.example.com/private/x'],
		['G2-04', 'https:site.example.com/private/x'],
		['G2-04', 'https:///site.example.com/private/x'],
	])('%s: 400 for %j, and nothing is fetched', async (_id, url) => {
		const { som, fetched } = site();
		expect(await som(url)).toBe(400);
		expect(fetched).toEqual([]);
	});

	it('G2-05: scheme, host and port in other letters name the same page', async () => {
		const { som } = site();
		for (const start of ['HTTPS://SITE.example.COM', 'https://site.example.com:443', 'hTTps://Site.Example.com:443']) {
			expect([start, await som(`${start}/private/x`)]).toEqual([start, 403]);
			expect([start, await som(`${start}/open`)]).toEqual([start, 200]);
		}
		for (const foreign of ['https://site.example.com.', 'http://site.example.com', 'https://site.example.com:8443']) {
			expect([foreign, await som(`${foreign}/private/x`)]).toEqual([foreign, 404]);
		}
	});

	it('G2-01 G2-02 G2-03 G2-04: no spelling is fetched, by url= encoded or plain, or by another form', async () => {
		const { som, visit, fetched } = site();
		const kinds = new Set(['letter case', 'encoded twice', 'absolute form']);
		const spellings = spellingsOf('/private/x.html').filter(({ kind }) => !kinds.has(kind));
		expect(spellings.length).toBeGreaterThan(250);
		for (const { target } of spellings) {
			await som(origin + target);
			await visit(`/v1/som?url=${origin}${target}`);
			for (const accept of ['text/markdown', 'application/som+json']) await visit(target, {}, { accept });
			for (const suffix of ['.md', '.som.json']) await visit(target + suffix);
		}
		// What is left names the root: its query or fragment looks like a path.
		expect(
			fetched.filter((url) => !/^https:\/\/site\.example\.com\/(?:[?#]|%20private|x\/%E3|%E3|$)/.test(url)),
		).toEqual([]);
	});

	it('G2-05: honest addresses pass', async () => {
		const { som, visit } = site();
		for (const path of [
			'/',
			'/open',
			'/a;v=1/b;w=2',
			'/a%20b',
			'/caf%C3%A9',
			'/café au lait',
			'/search?q=a%2Fb%20c&next=/private',
			'/search?next=%2Fprivate%2Fx',
			'/wiki/AC%2FDC',
			'/wiki/Who%3F',
			'/wiki/Inc.',
			'/100%25',
			'/a/../b',
			'/a/./b#part',
			'/price,list(1)!',
			'/caf%E9',
			"/it's",
			'/.well-known/security.txt',
			'/public/private',
			'/%E6%97%A5%E6%9C%AC%E8%AA%9E',
			'/?url=https://site.example.com/private',
		]) {
			expect([path, await som(origin + path)]).toEqual([path, 200]);
			if (/^[!-~]*$/.test(path) && !/\/\.|#/.test(path)) expect([path, await visit(path)]).toEqual([path, 200]);
		}
	});
});

describe('readings that upstreams have', () => {
	it('G2-06 G2-07 G2-09: a path is read without its parameters too', async () => {
		const { visit } = site();
		for (const path of [
			'/;x/private/x',
			'/;jsessionid=1/private/x',
			'/private;v=1/x',
			'/;/;/private/x',
			'/;a=b;c=d/private/x',
			'/%3Bx/private/x',
			'//;x//private/x',
		]) {
			expect([path, await visit(path)]).toEqual([path, 403]);
		}
		expect(await visit('/a;v=1/x')).toBe(200);
	});

	it('G2-06: a rule that ends a path holds for the path with parameters, and with an escaped delimiter', async () => {
		const { visit } = site({ paths: { disallow: ['/report.html$'] } });
		for (const path of ['/report.html', '/report.html;v=1', '/report.html%3Fx', '/report.html%23', '/report.html.']) {
			expect([path, await visit(path)]).toEqual([path, 403]);
		}
		for (const path of ['/report.html/', '/report.html/more', '/report.html%2Fmore']) {
			expect([path, await visit(path)]).toEqual([path, 403]);
		}
		expect(await visit('/report.html5')).toBe(200);
		const controller = site({ paths: { disallow: ['/index.php$'] } });
		expect([await controller.visit('/index.php'), await controller.visit('/index.php/post')]).toEqual([403, 200]);
	});

	it('G2-09: an escaped character is the character, in rule and address', async () => {
		const { visit, som } = site({ paths: { disallow: ['/@ann', '/%40ben', '/a,b', '/caf%C3%A9', '/x%2Ay'] } });
		for (const path of ['/@ann', '/%40ann', '/%40ben', '/@ben', '/a%2Cb', '/cafe%CC%81', '/caf%E9', '/x*y']) {
			expect([path, await visit(path)]).toEqual([path, 403]);
			expect([path, await som(origin + path)]).toEqual([path, 403]);
		}
		for (const path of ['/@an', '/a', '/xzy']) expect([path, await visit(path)]).toEqual([path, 200]);
	});

	it('G2-08: letter case is a setting', async () => {
		const strict = site();
		const folding = site({ readings: { ignoreCase: true }, paths: { disallow: ['/Private', '/caf%C3%89'] } });
		for (const path of ['/PRIVATE/x', '/private/x', '/%50rivate', '/caf%C3%A9', '//pRIVATE']) {
			expect([path, await folding.visit(path)]).toEqual([path, 403]);
			expect([path, await folding.som(origin + path)]).toEqual([path, 403]);
		}
		expect(await folding.visit('/open')).toBe(200);
		expect(await strict.visit('/PRIVATE/x')).toBe(200);
	});

	it('G2-08: an allow of the ask endpoint opens its paths, and no other spelling opens more', async () => {
		const config = {
			readings: 'iis' as const,
			paths: {},
			policy: { read: 'ask' },
			ask: { read: { decision: 'allow' as const, scopes: ['/Blog/*'] } },
		} satisfies Omit<ConfigInput, 'origin'>;
		const { visit } = site(config);
		const from = { address: '192.0.2.251' };
		const as = { 'user-agent': 'Reader/1.0', 'x-agent-identity': 'Reader/1.0 (ai-assistant)' };
		await visit('/.well-known/robots2-ask?directive=read', from, as);
		expect(await visit('/blog/a', from, as)).toBe(403);
		expect(await visit('/Blog/a', from, as)).toBe(200);
		for (const path of ['/Blog/..%2fprivate', '/Blog/%2e%2e/private', '/Blog/..\\private', '/private;/Blog/a']) {
			expect([path, await visit(path, from, as)]).not.toEqual([path, 200]);
		}
	});

	it('G2-08: adds the router options that an adapter knows', async () => {
		const { visit } = site();
		const readings: Readings = readingPresets.express;
		expect(await visit('/PRIVATE/x', { readings })).toBe(403);
		expect(await visit('/PRIVATE/x')).toBe(200);
	});

	it('G2-08: a final slash counts where the router has it count', async () => {
		const { visit } = site({ readings: 'express', paths: { disallow: ['/private/x$', '/docs/'] } });
		for (const path of ['/private/x/', '/PRIVATE/X', '/docs']) expect([path, await visit(path)]).toEqual([path, 403]);
		expect(await visit('/private/y/')).toBe(200);
	});

	it('G2-06: each preset withholds what its server reads as the page, and one more server adds its readings', async () => {
		const target: Record<string, string> = {
			nginx: '/%2Fprivate/x',
			apache: '//private/x',
			caddy: '/PRIVATE/x',
			tomcat: '/;x/private/x',
			iis: '/private./x',
			express: '/Private/x',
		};
		for (const [preset, path] of Object.entries(target)) {
			const { visit } = site({ readings: preset as 'nginx' });
			expect([preset, await visit(path)]).toEqual([preset, 403]);
		}
		expect(await site({ readings: 'nginx' }).visit('/;x/private/x')).toBe(200);
		expect(await site({ readings: ['nginx', 'tomcat'] }).visit('/;x/private/x')).toBe(403);
		expect(await site({ readings: { decodeTwice: true } }).visit('/%2570rivate/x')).toBe(403);
	});

	it('G2-08: a server that says that it folds letters is believed', async () => {
		const { gateway } = site();
		const ask = async () => {
			const header = (name: string) => ({ host: 'site.example.com', 'user-agent': 'GPTBot/1.2' })[name];
			return (await gateway.decide({ method: 'GET', target: '/PRIVATE/x', address: '192.0.2.7', header })).decision
				.action;
		};
		expect(await ask()).toBe('pass');
		gateway.adopt({ server: 'iis' });
		expect(await ask()).toBe('deny');
	});

	it('G2-06: no address makes more than a bounded number of readings', async () => {
		const { visit } = site();
		const target = `/${'a;b//c%2Fd%5Ce.%20/%EF%BC%8F%C0%AF%3F%23'.repeat(40)}`;
		expect(await visit(target)).toBe(400);
	});
});

describe('the setting in the policy file', () => {
	const read = (text: string) => {
		try {
			return parseConfig(`origin: ${origin}\nreadings: ${text}`).readings;
		} catch (error) {
			return (error as Error).message;
		}
	};

	it('G2-08: takes a server, several, or single readings', () => {
		expect(read('nginx')).toEqual(readingPresets.nginx);
		expect(read('[nginx, tomcat]')).toMatchObject({ pathParameters: true, ignoreCase: false });
		expect(read('{ ignoreCase: true, pathParameters: false }')).toMatchObject({
			ignoreCase: true,
			pathParameters: false,
			mergeSlashes: true,
		});
	});

	it('G2-08: says what is meant where a name is misspelt', () => {
		expect(read('ngnix')).toMatch(/2:1: readings: expected one of nginx, apache, .*did you mean nginx\?/);
		expect(read('[nginx, tomcta]')).toMatch(/did you mean tomcat\?/);
		expect(read('{ ignorecase: true }')).toMatch(/2:13: readings.ignorecase: unknown key; did you mean ignoreCase\?/);
	});
});
