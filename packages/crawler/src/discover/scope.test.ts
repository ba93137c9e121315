import { describe, expect, it } from 'vitest';
import { createScope } from './scope.ts';

describe('scope', () => {
	it('host: the same host under either scheme, but no other port and no subdomain', () => {
		const scope = createScope('host', ['http://h.test/a']);
		expect(scope.check('https://h.test/b')).toBeUndefined();
		expect(scope.check('http://h.test:8080/')).toBe('other-host');
		expect(scope.check('http://www.h.test/')).toBe('other-host');
	});

	it('domain: by the public suffix list, and a suffix is only itself', () => {
		const scope = createScope('domain', ['https://www.example.co.uk/']);
		expect(scope.check('https://docs.example.co.uk/')).toBeUndefined();
		expect(scope.check('https://other.co.uk/')).toBe('other-domain');
		const suffix = createScope('domain', ['https://github.io/']);
		expect(suffix.check('https://me.github.io/')).toBe('other-domain');
	});

	it.each([
		['https://h.test/docs/', '/docs/a', true],
		['https://h.test/docs/', '/docs', true],
		['https://h.test/docs', '/docs/a/b', true],
		['https://h.test/docs', '/docs', true],
		['https://h.test/docs', '/docs-old', false],
		['https://h.test/docs/intro.html', '/docs/next.html', true],
		['https://h.test/docs/intro.html', '/blog/', false],
		['https://h.test/', '/anything', true],
	])('prefix: seed %s, path %s: %s', (seed, path, inside) => {
		const reason = createScope('prefix', [seed]).check(`https://h.test${path}`);
		expect(reason).toBe(inside ? undefined : 'outside-prefix');
	});

	it('follows where a seed was redirected to', () => {
		const scope = createScope('host', ['http://h.test/']);
		expect(scope.widen('http://www.h.test/')).toBe(true);
		expect(scope.widen('http://www.h.test/x')).toBe(false);
		expect(scope.check('http://www.h.test/page')).toBeUndefined();
		expect(createScope('host', ['http://h.test/'], ['http://www.h.test/']).key).toBe(scope.key);
	});
});
