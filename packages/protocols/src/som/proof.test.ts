import { describe, expect, it } from 'vitest';
import { formatSomProof, provesSomEndpoint, somEndpointRelation, somProofPlaces } from './index.ts';

/** Stands in for the public suffix list. */
const registrableDomain = (host: string) =>
	/^[\d.]+$|^\[/.test(host) ? undefined : host.split('.').slice(-2).join('.');
const relation = (endpoint: string, site: string) => somEndpointRelation(endpoint, site, registrableDomain);

describe('SOM-27 SOM-28 the owner of an endpoint', () => {
	it('the same registrable domain is accepted', () => {
		expect(relation('https://example.com/som', 'https://example.com/a')).toBe('same-origin');
		expect(relation('https://example.com/som', 'http://example.com/a')).toBe('same-domain');
		expect(relation('https://cache.example.com/som', 'https://www.example.com/')).toBe('same-domain');
		expect(relation('https://127.0.0.1:9/som', 'https://127.0.0.1/')).toBe('same-domain');
	});

	it('anything else is foreign', () => {
		expect(relation('https://example.net/som', 'https://example.com/')).toBe('foreign');
		expect(relation('https://127.0.0.2/som', 'https://127.0.0.1/')).toBe('foreign');
		expect(relation('https://notexample.com/som', 'https://example.com/')).toBe('foreign');
		expect(relation('nonsense', 'https://example.com/')).toBeUndefined();
	});
});

describe('AMB-76 proof of a foreign endpoint', () => {
	const endpoint = 'https://cache.example.net/tenant/som';

	it('stands in a TXT record or in a well-known file', () => {
		expect(somProofPlaces('https://www.example.com:8443/a')).toEqual({
			txt: '_som-endpoint.www.example.com',
			file: 'https://www.example.com/.well-known/som-endpoint.txt',
		});
		expect(somProofPlaces('nonsense')).toBeUndefined();
	});

	it('the line that is written is the line that proves', () => {
		expect(formatSomProof(endpoint)).toBe('som-endpoint=https://cache.example.net');
		expect(provesSomEndpoint([formatSomProof(endpoint)!], endpoint)).toBe(true);
		expect(formatSomProof('nonsense')).toBeUndefined();
	});

	it('a line of the file may stand among comments, in any line ending', () => {
		const file =
			'\ufeff# our cache\r\n\r\nsom-endpoint=https://other.example\r\n SOM-Endpoint=https://cache.example.net/ \r\n';
		expect(provesSomEndpoint(file, endpoint)).toBe(true);
	});

	it('a path narrows the proof to that endpoint', () => {
		expect(provesSomEndpoint(['som-endpoint=https://cache.example.net/tenant/som'], endpoint)).toBe(true);
		expect(provesSomEndpoint(['som-endpoint=https://cache.example.net/other'], endpoint)).toBe(false);
		expect(provesSomEndpoint(['som-endpoint=https://h.example/v1/som'], 'https://h.example')).toBe(true);
	});

	it.each([
		'som-endpoint=https://cache.example.net.evil.example',
		'som-endpoint=http://cache.example.net',
		'som-endpoint=https://cache.example.net:8443',
		'som-endpoint=https://cache.example.net and more',
		'x som-endpoint=https://cache.example.net',
		'# som-endpoint=https://cache.example.net',
		'som-endpoint=cache.example.net',
		'<html>som-endpoint=https://cache.example.net</html>',
		'',
	])('%j proves nothing', (line) => {
		expect(provesSomEndpoint([line], endpoint)).toBe(false);
	});

	it('nothing proves an endpoint that is no URL', () => {
		expect(provesSomEndpoint(['som-endpoint=https://a.test'], 'nonsense')).toBe(false);
	});
});
