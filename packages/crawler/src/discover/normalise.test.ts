import { describe, expect, it } from 'vitest';
import { hostOf, normaliseUrl } from './normalise.ts';

describe('normaliseUrl', () => {
	it.each([
		['HTTP://H.Example:80/a/./b/../c', 'http://h.example/a/c'],
		['http://h/#part', 'http://h/'],
		['http://user:secret@h/', 'http://h/'],
		['http://h./', 'http://h/'],
		['http://u:p@H.:80//a/./b', 'http://h//a/b'],
		['https://h:443', 'https://h/'],
		['</product/x>', 'https://base.test/product/x'],
		['  /spaced \n', 'https://base.test/spaced'],
		['//other.test/x', 'https://other.test/x'],
		['/login', 'https://base.test/login'],
		['pdf/Comprehensive Information.pdf', 'https://base.test/dir/pdf/Comprehensive%20Information.pdf'],
		['http://a_b.test/', 'http://a_b.test/'],
		['http://hg--69.test/', 'http://hg--69.test/'],
		['http://münchen.test/', 'http://xn--mnchen-3ya.test/'],
		['http://[::1]:8080/', 'http://[::1]:8080/'],
	])('CB-70 CB-65 CB-66 CB-79 CB-81 CB-83 %s becomes %s', (from, to) => {
		expect(normaliseUrl(from, 'https://base.test/dir/page.php')).toBe(to);
	});

	it('a name with ü is one, however many addresses were read before', () => {
		for (let at = 0; at < 20_000; at++) normaliseUrl(`/${at}`, 'https://base.test/');
		expect(normaliseUrl('http://münchen.test/', 'https://base.test/')).toBe('http://xn--mnchen-3ya.test/');
		expect(normaliseUrl('/', 'https://münchen.test/')).toBe('https://xn--mnchen-3ya.test/');
	});

	it.each([
		'http://h/Product/ABC',
		'http://h/?B=1&A=2',
		'http://h/a?',
		'http://h/a%2Fb',
		'http://h/%e3',
		'http://h/a//b/',
		'http://h/;jsessionid=1',
		'http://h/index.html',
	])('CB-71 CB-77 %s stays as it is', (url) => {
		expect(normaliseUrl(url)).toBe(url);
	});

	it.each(['mailto:a@b.test', 'javascript:void(0)', 'file:///etc/passwd', 'http://', 'http://a b/', ''])(
		'%s is nothing to fetch',
		(text) => {
			expect(normaliseUrl(text)).toBeUndefined();
		},
	);

	it('is idempotent', () => {
		const once = normaliseUrl('http://u@H.:80/a/../b?x#y')!;
		expect(normaliseUrl(once)).toBe(once);
	});
});

it('hostOf ignores scheme and port', () => {
	expect(hostOf('http://h.test:8080/a')).toBe(hostOf('https://h.test/b'));
});
