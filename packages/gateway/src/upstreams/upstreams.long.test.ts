import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultReadings, type Readings, type Spelling, spellingsOf } from '@wayleave/protocols/url';
import { afterAll, describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import type { ConfigInput } from '../config/schema.ts';
import { claimsOnly } from '../identify/claims-only.ts';
import type { Identity } from '../request/identity.ts';
import type { Visit } from '../request/visit.ts';
import { openGateway } from '../running/open-gateway.ts';
import { freePort, honest, secret, servers, type UpstreamServer, writeSite } from './testing/servers.ts';

// Real servers behind a real gateway: no spelling of a withheld page reaches it, by any door. `npm run test:upstreams`;
// `-- -u` writes the table of docs/reference/url-readings-servers.md anew.

const spellings: readonly Spelling[] = [
	{ kind: 'as it is', target: '/private/x.html' },
	...spellingsOf('/private/x.html'),
];
const base = mkdtempSync(join(tmpdir(), 'wayleave-upstreams-'));
const root = join(base, 'site');
writeSite(root);
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** What the server itself gives: for each server the spellings under which it finds the page. */
const found = new Map<string, ReadonlySet<string>>();

/** One request as it is, on a connection of its own; all that comes back. */
function ask(port: number, target: string, fields = ''): Promise<string> {
	return new Promise((resolve) => {
		const chunks: Buffer[] = [];
		const socket = net.connect(port, '127.0.0.1', () => {
			const head = `GET ${target} HTTP/1.1\r\nHost: site.example.com\r\nUser-Agent: GPTBot/1.2\r\n${fields}Connection: close\r\n\r\n`;
			socket.write(Buffer.from(head, 'latin1'));
		});
		socket.setTimeout(20_000, () => socket.destroy());
		socket.on('data', (chunk) => chunks.push(chunk));
		socket.on('error', () => {});
		socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
	});
}

const statusOf = (text: string) => Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0);
const bodyOf = (text: string) => text.slice(text.indexOf('\r\n\r\n') + 4);

/** Every request comes from another client: nobody is slowed down for asking often. */
let clients = 0;
const byClaim = (visit: Visit): Identity => ({ ...(claimsOnly.now(visit) as Identity), client: `client-${clients++}` });
const identifier = { now: byClaim, ask: async (visit: Visit) => byClaim(visit) };

async function gatewayBefore(port: number, config: Omit<ConfigInput, 'origin'>, folder: string) {
	const policy = checkConfig({
		origin: 'http://site.example.com',
		paths: { disallow: ['/private', '/exact/y.html$'] },
		som: {},
		rate: { refusals: 10_000_000 },
		ledger: { store: `sqlite:${join(folder, `ledger-${clients}.db`)}` },
		...config,
	});
	const running = await openGateway(policy, { upstream: `http://127.0.0.1:${port}`, parts: { identifier } });
	const address = await running.listen(0, '127.0.0.1');
	return { port: address.port, close: () => running.close(500) };
}

/** All requests by which a client could name the page. */
function doors({ target }: Spelling): (readonly [door: string, target: string, fields?: string])[] {
	const question = target.indexOf('?');
	const [path, query] = question < 0 ? [target, ''] : [target.slice(0, question), target.slice(question)];
	const url = `http://site.example.com${target}`;
	return [
		['request line', target],
		['Accept: text/markdown', target, 'Accept: text/markdown\r\n'],
		['Accept: application/som+json', target, 'Accept: application/som+json\r\n'],
		['.md', `${path}.md${query}`],
		['.md', `${path.replace(/\.html$/, '')}.md${query}`],
		['.som.json', `${path}.som.json${query}`],
		['.som.json', `${path.replace(/\.html$/, '')}.som.json${query}`],
		['SOM endpoint', `/v1/som?url=${encodeURIComponent(url)}`],
		['SOM endpoint, plain', `/v1/som?url=${url}`],
		['SOM endpoint, as Markdown', `/v1/som?format=markdown&url=${encodeURIComponent(url)}`],
	];
}

/** Runs work on items, some at a time. */
async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
	const queue = [...items];
	const next = async (): Promise<void> => {
		for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
	};
	await Promise.all(Array.from({ length: 8 }, next));
}

async function withServer(server: UpstreamServer, work: (port: number, folder: string) => Promise<void>) {
	const folder = join(base, `${server.name}-${clients}`);
	mkdirSync(folder, { recursive: true });
	const port = await freePort();
	const stop = await server.start(port, root, folder);
	try {
		await work(port, folder);
	} finally {
		await stop();
	}
}

it('R2-08 there are enough spellings', () => {
	expect(spellings.length).toBeGreaterThanOrEqual(200);
	expect(new Set(spellings.map(({ target }) => target)).size).toBe(spellings.length);
});

describe.each(servers)('$name', (server) => {
	const missing = server.missing();

	it.skipIf(missing !== undefined)(
		`G2-06: no spelling reaches a withheld page${missing ? ` (skipped: ${missing})` : ''}`,
		async () => {
			await withServer(server, async (port, folder) => {
				const own = new Set<string>();
				await each(spellings, async ({ target }) => {
					if ((await ask(port, target)).includes(secret)) own.add(target);
				});
				// The server runs, and finds the page where it is.
				expect(own.has('/private/x.html')).toBe(true);
				found.set(server.name, own);
				// The check can fail: without any reading a spelling gets through.
				const names = Object.keys(defaultReadings) as (keyof Readings)[];
				const blind = await gatewayBefore(
					port,
					{ readings: Object.fromEntries(names.map((name) => [name, false])) },
					folder,
				);
				expect(await ask(blind.port, '//private/x.html')).toContain(secret);
				await blind.close();
				for (const config of [{}, { readings: server.preset }]) {
					const gateway = await gatewayBefore(port, config, folder);
					const leaks: string[] = [];
					await each(spellings, async (spelling) => {
						for (const [door, target, fields] of doors(spelling)) {
							if ((await ask(gateway.port, target, fields)).includes(secret)) leaks.push(`${door}: ${target}`);
						}
					});
					// A rule that ends a path says nothing about the path with a query (RFC 9309 §2.2.3).
					await each(
						spellingsOf('/exact/y.html').filter(({ target }) => !target.includes('?')),
						async (spelling) => {
							for (const [door, target] of doors(spelling).filter(([name]) =>
								/^(?:request line|SOM endpoint)$/.test(name),
							)) {
								if ((await ask(gateway.port, target)).includes(secret)) leaks.push(`${door}: ${target}`);
							}
						},
					);
					const refused: string[] = [];
					await each(honest, async ([target, file]) => {
						const direct = await ask(port, target);
						const through = await ask(gateway.port, target);
						if (statusOf(through) !== statusOf(direct) || bodyOf(through).trim() !== bodyOf(direct).trim())
							refused.push(target);
						const som = await ask(
							gateway.port,
							`/v1/som?url=${encodeURIComponent(`http://site.example.com${target}`)}`,
						);
						if (statusOf(direct) === 200 && !som.includes(`The text of ${file}`)) refused.push(`SOM of ${target}`);
					});
					await gateway.close();
					expect({ config, leaks, refused }).toEqual({ config, leaks: [], refused: [] });
				}
			});
		},
		1_800_000,
	);
});

const all = servers.every((server) => server.missing() === undefined);

it.skipIf(!all)('the table of what each server reads as the withheld page is up to date', async () => {
	await expect(table()).toMatchFileSnapshot('../../../../docs/reference/url-readings-servers.md');
});

function table(): string {
	const show = (target: string) =>
		[...target]
			.map((letter) =>
				letter < ' ' || letter > '~' ? `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}` : letter,
			)
			.join('')
			.replaceAll('|', '\\|');
	const names = servers.map(({ name }) => name);
	const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	const read = spellings.filter(({ target }) => names.some((name) => found.get(name)?.has(target)));
	return `# What real servers read as one page

Written by \`npm run test:upstreams -- -u\`: seven servers have the page \`/private/x.html\`, and are asked for it in
${spellings.length} spellings. A dot marks the spellings under which a server gives the page. Behind the gateway none of them
reaches it when \`/private\` is withheld, with \`readings\` unset and with the preset of the server: by the request line,
\`Accept\`, \`.md\`, \`.som.json\` and the SOM endpoint. Apache has \`AllowEncodedSlashes On\`, Tomcat \`encodedSolidusHandling="decode"\`
and \`allowBackslash="true"\`; everything else is as it is shipped. [How a URL is read](url-readings.md) explains the settings.

${row(['spelling', 'kind', ...names])}
${row(['---', '---', ...names.map(() => ':-:')])}
${read.map(({ kind, target }) => row([`\`${show(target)}\``, kind, ...names.map((name) => (found.get(name)?.has(target) ? '•' : ''))])).join('\n')}

The other ${spellings.length - read.length} spellings are found by none of them.
`;
}
