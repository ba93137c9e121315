import { uses } from '@wayleave/protocols/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument, stringify } from 'yaml';
import { parseConfig } from '../../../../packages/gateway/src/config/load.ts';
import { previewOf } from '../../../../packages/gateway/src/studio/preview.ts';
import * as arbitrary from '../../../../packages/gateway/src/terms/testing/configs.ts';
import { type Answer, answer, type Question } from './question.ts';

const origin = 'https://example.com';
/** The answer by a policy file. */
function ask(yaml: string, question: Question): Answer {
	const { yields, places } = previewOf(yaml, parseConfig, {});
	if (yields === undefined) throw new Error(`the policy file is not valid: ${yaml}`);
	return answer(question, yields, places);
}
const gptbot = (use: Question['use'], path = '/blog/x') => ({ agent: 'GPTBot', use, path });

describe('a question, answered in the browser', () => {
	it.each([
		['policy: { crawl: yes, train: no }', gptbot('train'), 'No', 'policy.train'],
		[
			'policy: { crawl: yes, train: no }\ncategories: { data-harvester: { train: yes } }',
			gptbot('train'),
			'Yes',
			'categories.data-harvester.train',
		],
		['policy: { read: yes }\npaths: { disallow: [/a, /blog] }', gptbot('crawl'), 'No', 'paths.disallow'],
		['paths: { agents: { gptbot: { disallow: [/] } } }', gptbot('read'), 'No', 'paths.agents.gptbot.disallow'],
		['categories: { data-harvester: { crawl: no } }', gptbot('crawl'), 'No', 'categories.data-harvester.crawl'],
		['honeypots: [/trap]\npolicy: { read: yes }', gptbot('crawl', '/trap'), 'No', 'honeypots'],
		['policy: { quote: short-only, read: yes, crawl: yes }', gptbot('quote'), 'Yes, within limits', 'policy.quote'],
		['policy: { train: ask }', gptbot('train'), 'Only after asking', 'policy.train'],
		['policy: { read: no }', gptbot('train'), 'No', 'policy.read'],
	] as const)('%s: %j is %s by %s', (policy, question, word, path) => {
		const found = ask(`origin: ${origin}\n${policy}\n`, question);
		expect(found.word).toBe(word);
		expect(found.place?.path.filter((step) => typeof step === 'string').join('.')).toBe(path);
		expect(found.sentence).toContain(`It comes from ${path} in line ${found.place?.line} of the policy file.`);
	});

	it('silence is told as silence', () => {
		expect(ask(`origin: ${origin}\npolicy: { quote: yes }\n`, gptbot('train'))).toMatchObject({
			word: 'Not stated, so no',
			place: undefined,
			sentence: expect.stringMatching(/may not train on \/blog\/x: no line of the policy allows this use/),
		});
		expect(ask(`origin: ${origin}\n`, gptbot('train')).word).toBe('Not stated, so yes');
	});

	it('a line of the site itself is told from one of the policy file', () => {
		const own = { robots: 'User-agent: *\nDisallow: /own\n' };
		const { yields, places } = previewOf(`origin: ${origin}\npolicy: { read: yes }\n`, parseConfig, own);
		expect(yields && answer(gptbot('crawl', '/own/x'), yields, places).sentence).toMatch(
			/No value of the policy file says so: the line comes from the site’s own files/,
		);
	});

	it('for policy files of every shape, the answer is another without the values that are lit up', () => {
		const asked = fc.record({
			agent: fc.constantFrom('GPTBot', 'OtherBot', 'Googlebot', 'ChatGPT-User'),
			use: fc.constantFrom(...uses),
			path: arbitrary.path,
		});
		fc.assert(
			fc.property(arbitrary.config, asked, (config, question) => {
				const { paths, policy, categories, honeypots, rate } = config;
				const yaml = stringify(
					JSON.parse(JSON.stringify({ origin, paths, policy, categories, honeypots, rate: { default: rate.default } })),
				);
				const essence = ({ verdict, published }: Answer) => [verdict.effect, published?.text];
				const document = parseDocument(yaml);
				const first = essence(ask(yaml, question));
				// Several values may say the same: each is lit up once those before it are gone.
				for (let found = ask(yaml, question); String(essence(found)) === String(first); ) {
					if (found.published === undefined) return;
					expect(found.place, `${found.published.text} has a place`).toBeDefined();
					expect(String(document.getIn(found.place?.path ?? []))).toBe(found.place?.value);
					document.deleteIn(found.place?.path ?? []);
					found = ask(document.toString(), question);
				}
			}),
			{ numRuns: 40 },
		);
	});
});
