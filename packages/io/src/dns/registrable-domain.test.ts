import { expect, it } from 'vitest';
import { registrableDomain } from './registrable-domain.ts';

it.each([
	['a.b.example.co.uk', 'example.co.uk'],
	['example.com', 'example.com'],
	['me.github.io', 'me.github.io'],
	['x.me.github.io', 'me.github.io'],
	['city.kawasaki.jp', 'city.kawasaki.jp'],
	['www.city.kawasaki.jp', 'city.kawasaki.jp'],
	['xn--85x722f.xn--55qx5d.cn', 'xn--85x722f.xn--55qx5d.cn'],
	['a_b.example.com', 'example.com'],
	['EXAMPLE.com.', 'example.com'],
	['site.test', 'site.test'],
])('registrableDomain %s is %s', (host, domain) => {
	expect(registrableDomain(host)).toBe(domain);
});

it.each(['github.io', 'com', 'co.uk', '127.0.0.1', '[::1]', '::1', 'localhost', ''])('XB-71 %s has none', (host) => {
	expect(registrableDomain(host)).toBeUndefined();
});
