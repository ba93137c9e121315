import { createPrivateKey } from 'node:crypto';
import { generateSigningKey, loadSigningKey } from '@wayleave/io/signatures';
import { expect, it } from 'vitest';
import { crawl } from '../engine/crawl.ts';
import { openStore } from '../store/sql/open.ts';
import { verdictsOf } from '../testing/signatures.ts';
import { plain, useSites } from '../testing/sites.ts';
import { htmlPage } from '../testing/web.ts';

const sites = useSites();
const signingKey = generateSigningKey();
const keyDirectory = 'https://bot.test/';
const key = loadSigningKey(signingKey);

it('every request is signed: control files, asks, sitemaps, redirects and pages', async () => {
	await sites.serve({
		'h.test/robots2.txt': plain('read: ask\n'),
		'h.test/.well-known/robots2-ask?directive=read&agent=Wayleave/0.1.0': {
			headers: { 'X-Robots2-Decision': 'allow' },
		},
		'h.test/': htmlPage('Home', ['/moved']),
		'h.test/moved': { status: 302, headers: { Location: '/x' } },
		'h.test/x': htmlPage('X'),
	});
	// All within the few minutes for which a signature is good.
	const pace = { delay: 1, ownSites: ['h.test'] };
	const { ends } = await sites.crawl(['h.test/'], { identity: { signingKey, keyDirectory }, ...pace });
	expect(ends['h.test/x']).toBe('fetched');
	const found = await verdictsOf(sites.web, key, () => sites.clock.now());
	expect(found.length).toBeGreaterThanOrEqual(6);
	for (const verdict of found)
		expect(verdict).toMatchObject({ outcome: 'valid', agent: 'https://bot.test', keyId: key.keyId });
	const nonces = sites.web.log.map(({ headers }) => /nonce="([^"]+)"/.exec(String(headers['signature-input']))?.[1]);
	expect(new Set(nonces).size).toBe(nonces.length);
});

it('a JSON Web Key is understood too', () => {
	const jwkText = JSON.stringify(createPrivateKey(signingKey).export({ format: 'jwk' }));
	expect(loadSigningKey(jwkText).keyId).toBe(key.keyId);
});

it('without a key nothing is signed', async () => {
	await sites.serve({ 'h.test/': htmlPage('Home') });
	await sites.crawl(['h.test/']);
	expect(sites.web.log.filter(({ headers }) => 'signature' in headers || 'signature-agent' in headers)).toEqual([]);
});

it.each([
	['a key without a directory', { signingKey }],
	['a directory without a key', { keyDirectory }],
	['a directory without TLS', { signingKey, keyDirectory: 'http://bot.test' }],
	['no key at all', { signingKey: 'x', keyDirectory }],
	['a JSON text that is no key', { signingKey: '{"kty":"OKP"}', keyDirectory }],
])('%s is a wrong option', async (_, identity) => {
	const store = await openStore('memory');
	expect(() => crawl(['https://h.test/'], { identity, store })).toThrow(
		expect.objectContaining({ code: 'bad-option' }),
	);
	await store.close();
});
