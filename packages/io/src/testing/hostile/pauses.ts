import { type Behaviour, type Behaviours, failed, fetched } from './behaviour.ts';
import { page } from './site.ts';

/** A host that answers its path with this status until it has been asked often enough. */
function busy(
	does: string,
	status: 429 | 503,
	retryAfter: string | (() => string) | undefined,
	refusals: number,
	crawl: Behaviour['crawl'],
): Behaviour {
	return {
		does,
		path: '/busy',
		fetch: status,
		crawl,
		serve(exchange) {
			if (exchange.times >= refusals) {
				exchange.html(page('Not so busy now', 'Thank you for waiting. Here is the page.'));
				return;
			}
			const value = typeof retryAfter === 'function' ? retryAfter() : retryAfter;
			exchange.reply(status, value === undefined ? {} : { 'Retry-After': value }, 'Too busy.');
		},
	};
}

const inSeconds = (seconds: number) => () => new Date(Date.now() + seconds * 1000).toUTCString();
const deferred = { path: '/busy', outcome: 'deferred', reason: 'rate-limited' } as const;

/** Hosts that want to be left alone for a while. */
export const pauses: Behaviours = {
	'retry-seconds.test': busy('answers 429 twice and asks for a second', 429, '1', 2, fetched('/busy')),
	'retry-date.test': busy('answers 503 once and names a moment', 503, inSeconds(2), 1, fetched('/busy')),
	'retry-none.test': busy('answers 429 once and says no more', 429, undefined, 1, fetched('/busy')),
	'retry-503-none.test': busy('answers 503 once and says no more', 503, undefined, 1, fetched('/busy')),
	'retry-past.test': busy('names a moment that is over', 503, inSeconds(-3600), 1, fetched('/busy')),
	'retry-year.test': busy('asks for a year', 429, '31536000', 1000, deferred),
	'retry-tomorrow.test': busy('names tomorrow', 503, inSeconds(86_400), 1000, deferred),
	'retry-overflow.test': busy('asks for 1e400 seconds', 429, '1e400', 1, fetched('/busy')),
	'retry-negative.test': busy('asks for minus five seconds', 429, '-5', 1, fetched('/busy')),
	'retry-words.test': busy('asks to come back in a minute, in words', 429, 'in a minute', 1, fetched('/busy')),
	'always-429.test': busy('answers 429 every time', 429, '1', Number.POSITIVE_INFINITY, deferred),
	'always-503.test': busy('answers 503 every time', 503, '1', Number.POSITIVE_INFINITY, deferred),
	'always-500.test': {
		does: 'answers 500 every time',
		path: '/broken',
		fetch: 500,
		crawl: failed('/broken', 'http-500'),
		serve: (exchange) => exchange.reply(500, { 'Content-Type': 'text/html' }, page('Error', 'Something is wrong.')),
	},
};
