import { expect, it } from 'vitest';
import { publicFailure } from './public-failure.ts';

const sentence = 'the host name resolves to an address that is not public';

it.each([
	['private-address', 'localhost resolves to 127.0.0.1', sentence],
	['private-address', 'intranet is private by its name or address', sentence],
	[undefined, 'db.test resolves to 10.0.0.7, fd00::7', sentence],
	[undefined, 'unreachable (localhost resolves to ::1)', sentence],
	[
		'proxy-failed',
		'the proxy http://proxy.internal:3128/ refused the connection',
		'the proxy did not forward the request',
	],
	[
		undefined,
		'the proxy proxy.internal:3128 answered 502 to CONNECT a.test:443',
		'the proxy did not forward the request',
	],
	['connect-failed', 'connect ECONNREFUSED 192.168.7.1:80', 'the connection could not be established'],
	['connect-failed', 'connect ECONNREFUSED [fe80::1]:80', 'the connection could not be established'],
	['connect-failed', 'connect ECONNREFUSED ::ffff:10.1.2.3:80', 'the connection could not be established'],
	[undefined, 'connect-failed (EHOSTUNREACH 172.16.4.4)', 'the request failed on its way to the host'],
	['dns-failed', 'queryA ETIMEOUT at 10.0.0.53', 'the host name could not be looked up'],
])('%s: %s', (reason, detail, told) => {
	expect(publicFailure({ reason, detail })).toBe(told);
});

it.each([
	'the certificate has expired',
	'HTTP 503',
	'not before 2026-11-30T10:00:00Z',
	'https://a.test/b?c=1.2',
	'connect ECONNREFUSED 93.184.216.34:443',
	'version 1.2.3.4.5 at line 10:20',
])('%s stays as it is', (detail) => {
	expect(publicFailure({ reason: 'connect-failed', detail })).toBe(detail);
});
