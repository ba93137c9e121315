import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { changeProblems } from '../change/problems.ts';
import { sitemapProblems } from '../discover/sitemap-problems.ts';
import { warcProblems } from '../warc/read/problems.ts';
import { explainReason, reasonTexts } from './outcome.ts';

it.each([reasonTexts, sitemapProblems, changeProblems, warcProblems].flatMap((table) => Object.keys(table)))(
	'%s has a page',
	(code) => {
		const page = new URL(`../../../../docs/problems/${code}.md`, import.meta.url);
		expect(existsSync(page)).toBe(true);
		expect(readFileSync(page, 'utf8')).toMatch(new RegExp(`^# ${code}\n[\\s\\S]+\\*\\*How to mend it\\.`));
	},
);

it('explains statuses too', () => {
	expect(explainReason('http-418')).toBe('the server responded with 418');
	expect(explainReason('robots-disallow')).toContain('robots.txt');
});
