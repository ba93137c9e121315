import { parse as parse5 } from 'parse5';
import { expect, it } from 'vitest';
import { parseHtml } from './parse.ts';
import { textContent } from './walk.ts';

interface Oracle {
	nodeName: string;
	value?: string;
	childNodes?: Oracle[];
}

/** The text that the standard's own algorithm puts into the body. */
function expected(html: string): string {
	const body = ((parse5(html) as unknown as Oracle).childNodes ?? [])
		.flatMap((node) => node.childNodes ?? [])
		.find((node) => node.nodeName === 'body')!;
	const text = (node: Oracle): string => node.value ?? (node.childNodes ?? []).map(text).join('');
	return text(body);
}

it.each([
	'<p>a</p><![CDATA[ x > y ]]><p>b</p>',
	'<p>a</p><![CDATA[ x <b>y</b> <p>never closed</p>',
	'<p>a</p><svg><![CDATA[ x > y ]]></svg><![CDATA[z>b',
	'<p>a<script>//<![CDATA[\nvar a = "<svg>"; //]]></script><p>b<![CDATA[c>d',
	'<math><mi><![CDATA[x]]></mi></math><p>b',
])('%s is read as by the standard', (html) => {
	expect(textContent(parseHtml(html).body)).toBe(expected(html));
});
