import fc from 'fast-check';
import { directiveNames } from '../index.ts';

const value = fc.constantFrom(
	'yes',
	'NO',
	'ask',
	'short-only',
	'session-only',
	'required',
	'none',
	'polite',
	'6',
	'0',
	'-1',
	'news',
	'maybe',
	'',
);
const directive = fc
	.tuple(fc.constantFrom<string>(...directiveNames, 'summarize', 'Monetize', 'trian'), value)
	.map(([name, given]) => `${name}: ${given}`);
const section = fc
	.constantFrom('ai-assistant', 'data-harvester', 'monitoring', 'Tester', '*', 'a, b', '')
	.map((category) => `[agent: ${category}]`);
const path = fc.constantFrom(
	'User-agent: *',
	'User-agent: GPTBot',
	'Disallow: /a',
	'Allow: /b*',
	'Disallow:',
	'Allow: /',
);
const other = fc.constantFrom(
	'',
	'# a comment',
	'# meta: chain-id: x',
	'train no',
	'chain: https://b.test/',
	'[broken',
);

const record = fc.constantFrom(
	'Content-Signal: ai-train=no',
	'Content-Usage: /a train-ai=n',
	'Crawl-delay: 3',
	'Host: x',
	'age-rating: 12',
);

/** A robots2.txt as one might be written by hand, well or badly. */
export const robots2Text = fc
	.array(fc.oneof({ weight: 4, arbitrary: directive }, section, path, record, other, fc.string()), { maxLength: 14 })
	.map((lines) => lines.join('\n'));
