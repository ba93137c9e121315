import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { injectTags, removeTags } from './inject-tags.ts';

const tags = ['<meta name=x>'];
const block = '<!--wayleave--><meta name=x><!--/wayleave-->';
const dressed = (page: string) => injectTags(Buffer.from(page), tags)?.toString();

describe('tags in a page', () => {
	it('stand at the end of the head, and nothing else changes', () => {
		expect(dressed('<!doctype html><head><title>a</title></HEAD ><body>')).toBe(
			`<!doctype html><head><title>a</title>${block}</HEAD ><body>`,
		);
	});
	it('stand before the body, or behind the title, where the head has no end tag', () => {
		expect(dressed('<head><title>a</title><body class="</head>">')).toBe(
			`<head><title>a</title>${block}<body class="</head>">`,
		);
		expect(dressed('<title>a</title><p>text')).toBe(`<title>a</title>${block}<p>text`);
	});
	it('are not put into comments, scripts, titles and attribute values', () => {
		const page = '<head><!--</head>--><script>"</head>"</script><title></head></title><meta content="</head>"></head>';
		expect(dressed(page)).toBe(page.replace(/<\/head>$/, `${block}</head>`));
	});
	it('have no place in a page without head and title, or in UTF-16', () => {
		expect(dressed('<p>text')).toBeUndefined();
		expect(injectTags(Buffer.from('\uFEFF<head></head>', 'utf16le'), tags)).toBeUndefined();
	});
	it('keep bytes that are no UTF-8', () => {
		const page = Buffer.from('<head><title>caf\xe9</title></head>', 'latin1');
		expect(removeTags(injectTags(page, tags)!).equals(page)).toBe(true);
	});
	it('are taken out again, whatever the page', () => {
		const piece = fc.constantFrom(
			'<head>',
			'</head>',
			'<title>',
			'</title>',
			'<!--',
			'-->',
			'<script>',
			'</script>',
			'<body>',
			'"',
			"'",
			'<',
			'>',
			'é',
			'x',
		);
		fc.assert(
			fc.property(
				fc.array(piece).map((all) => Buffer.from(all.join(''))),
				(page) => {
					const put = injectTags(page, tags);
					if (put !== undefined) expect(removeTags(put).equals(page)).toBe(true);
				},
			),
		);
	});
	it('find their place in one pass over a page that never closes anything', () => {
		const calls = (count: number) => dressed('<a b="'.repeat(count) + '<!--'.repeat(count));
		expect(calls(20_000)).toBeUndefined();
	});
});
