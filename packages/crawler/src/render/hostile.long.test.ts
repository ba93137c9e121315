import { describe, it } from 'vitest';
import { expectLimited } from './testing/floods.ts';
import { noChromium } from './testing/rendered.ts';

describe.skipIf(noChromium)('a hostile page', () => {
	it.each([
		[10_000, 'fetch'],
		[10_000, 'XMLHttpRequest'],
		[2000, 'image'],
	] as const)('%i requests by %s: no more than the limit go out, and the page is rendered', async (count, kind) => {
		await expectLimited(count, kind);
	});
});
