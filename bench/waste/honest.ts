import { canonicalTag, page, parse, phrase, type Site, short, upTo, words } from './site.ts';

// Sites that look like endless spaces but are not. Each one tests a rule of the crawler.

const site = (name: string, says: readonly string[], serve: Site['serve']): Site => ({
	name,
	says: says.map(phrase),
	serve,
});
const of = (what: string, count: number): string[] => upTo(count).map((number) => `${what} ${number}`);
const hex = (number: number): string =>
	words(`hex ${number}`, 1).slice(0, 2) +
	((number * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0') +
	number.toString(16).padStart(4, '0');

/** A product page that differs from others only in name and price. */
const product = (name: string, links: readonly string[]): string =>
	short(
		phrase(name),
		`${words('all products say this', 150)}. ${phrase(name)} costs ${name.length} pounds. ${words('and this too', 60)}`,
		links,
	);

export const honest: readonly Site[] = [
	site('a forum with ?page=', of('topic', 60), (path) => {
		const { at, query } = parse(path);
		const number = Number(query.get('page') ?? 1);
		if (at === '/')
			return short('Forum', 'All topics.', ['/topics', ...upTo(6, 2).map((each) => `/topics?page=${each}`)]);
		if (at === '/topics')
			return short(
				'Topics',
				'Newest first.',
				upTo(10, (number - 1) * 10 + 1)
					.filter((each) => each <= 60)
					.flatMap((each) => [`/topic/${each}`, `/topic/${each}?page=2`]),
			);
		const [, topic] = /^\/topic\/(\d+)$/.exec(at) ?? [];
		return topic === undefined
			? undefined
			: short(`Topic ${topic}`, `${words(`${topic} ${number}`, 70)} ${number === 2 ? phrase(`topic ${topic}`) : ''}`, [
					'/topics',
				]);
	}),
	site('products that differ in name and price, ?id=', of('product', 80), (path) => {
		const { at, query } = parse(path);
		if (at === '/')
			return short(
				'Shop',
				'Our products.',
				upTo(80).map((each) => `/product?id=${each}`),
			);
		return at === '/product' && query.has('id') ? product(`product ${query.get('id')}`, ['/']) : undefined;
	}),
	site('products that differ in name, with reviews below', [...of('ware', 30), ...of('review', 30)], (path) => {
		if (path === '/')
			return short(
				'Shop',
				'Our wares.',
				upTo(30).map((each) => `/wares/ware-${each}/`),
			);
		const [, ware, review] = /^\/wares\/ware-(\d+)\/(reviews\/)?$/.exec(path) ?? [];
		if (ware === undefined) return undefined;
		return review === undefined ? product(`ware ${ware}`, ['reviews/', '/']) : page(`review ${ware}`, ['../']);
	}),
	site('a wiki in one script', of('title', 60), (path) => {
		const { at, query } = parse(path);
		if (at === '/') return short('Wiki', 'All titles.', ['/index.php?title=title_1']);
		const number = Number(query.get('title')?.slice(6));
		if (at !== '/index.php' || !(number <= 60)) return undefined;
		const title = (each: number) => `/index.php?title=title_${each}`;
		const own = [
			title(number * 2),
			title(number * 2 + 1),
			`${title(number)}&action=history`,
			`${title(number)}&action=edit`,
			`${title(number)}&printable=yes`,
		];
		if (query.has('action'))
			return short(`Action ${number}`, `${query.get('action')} of title ${number}.`, [title(number)]);
		return page(`title ${number}`, own);
	}),
	site('a calendar of months with events in every fourth', of('event', 12), (path) => {
		if (path === '/') return page('calendar front', ['/calendar/2025/01']);
		const [, event] = /^\/event\/(\d+)$/.exec(path) ?? [];
		if (event !== undefined) return page(`event ${event}`, []);
		const [, year, number] = /^\/calendar\/(\d+)\/(\d+)$/.exec(path) ?? [];
		const at = (Number(year) - 2025) * 12 + Number(number) - 1;
		if (!(at >= 0 && at < 48)) return undefined;
		const next =
			at < 47 ? [`/calendar/${2025 + Math.floor((at + 1) / 12)}/${String(((at + 1) % 12) + 1).padStart(2, '0')}`] : [];
		return short(`${number} ${year}`, 'Events of this month.', [
			...(at % 4 === 0 ? [`/event/${at / 4 + 1}`] : []),
			...next,
		]);
	}),
	site('a calendar of days that say what is on', of('day', 15), (path) => {
		const { at, query } = parse(path);
		if (at === '/')
			return short(
				'Days',
				'Sixty days.',
				upTo(60).map((each) => `/day?date=${new Date(Date.UTC(2026, 9, each)).toISOString().slice(0, 10)}`),
			);
		const number = Math.round((Date.parse(query.get('date') ?? '') - Date.UTC(2026, 9, 0)) / 86_400_000);
		if (at !== '/day' || !(number > 0)) return undefined;
		return short(
			query.get('date') ?? '',
			number % 4 === 0 ? `${phrase(`day ${number / 4}`)}. ${words(`on ${number}`, 12)}` : 'Nothing today.',
			['/'],
		);
	}),
	site('three languages, some pages not translated', [...of('en', 40), ...of('de', 20), ...of('fr', 20)], (path) => {
		const { at, query } = parse(path);
		const number = at === '/' ? 0 : Number(/^\/page\/(\d+)$/.exec(at)?.[1]);
		if (!(number <= 40)) return undefined;
		const links = upTo(40).flatMap((each) => [`/page/${each}`, `/page/${each}?lang=de`, `/page/${each}?lang=fr`]);
		const lang = number > 20 ? (query.get('lang') ?? 'en') : 'en';
		return number === 0
			? short('Home', 'Welcome.', links)
			: page(`${lang} ${lang === 'en' ? number : number - 20}`, [at, `${at}?lang=de`, `${at}?lang=fr`]);
	}),
	site('print views that name no canonical address', of('article', 40), (path) => {
		const { at } = parse(path);
		const number = at === '/' ? 0 : Number(/^\/a\/(\d+)$/.exec(at)?.[1]);
		if (!(number <= 40)) return undefined;
		return number === 0
			? short(
					'News',
					'All of it.',
					upTo(40).map((each) => `/a/${each}`),
				)
			: page(`article ${number}`, [`${at}?print=1`]);
	}),
	site('paths whose case matters', [...of('upper', 30), ...of('lower', 30)], (path) => {
		if (path === '/')
			return short(
				'Cases',
				'Both.',
				upTo(30).flatMap((each) => [`/Item-${each}`, `/item-${each}`]),
			);
		const [, letter, number] = /^\/([Ii])tem-(\d+)$/.exec(path) ?? [];
		return number === undefined ? undefined : page(`${letter === 'I' ? 'upper' : 'lower'} ${number}`, []);
	}),
	site('documents under random ids in a parameter', of('document', 60), (path) => {
		const { at, query } = parse(path);
		if (at === '/')
			return short(
				'Papers',
				'All of them.',
				upTo(60).map((each) => `/view?doc=${hex(each)}`),
			);
		const number = upTo(60).find((each) => hex(each) === query.get('doc'));
		return at === '/view' && number !== undefined ? page(`document ${number}`, []) : undefined;
	}),
	site('the same under two paths, nearly alike', [...of('left', 30), ...of('right', 30)], (path) => {
		const { at, query } = parse(path);
		if (at === '/')
			return short(
				'Two',
				'Sides.',
				upTo(30).flatMap((each) => [`/en/item?uuid=${hex(each)}`, `/us/item?uuid=${hex(each)}`]),
			);
		const number = upTo(30).find((each) => hex(each) === query.get('uuid'));
		if (number === undefined || !/^\/(?:en|us)\/item$/.test(at)) return undefined;
		return product(`${at === '/en/item' ? 'left' : 'right'} ${number}`, []);
	}),
	site('a glossary of few words', of('term', 80), (path) => {
		if (path === '/')
			return short(
				'Glossary',
				'Terms.',
				upTo(80).map((each) => `/term/${each}`),
			);
		const [, term] = /^\/term\/(\d+)$/.exec(path) ?? [];
		return term === undefined ? undefined : short(`Term ${term}`, `${phrase(`term ${term}`)}.`, []);
	}),
	site('a heavy template with relative links', of('leaf', 40), (path) => {
		if (!/^\/(?:(?:north|south|west)\/){0,3}$/.test(path)) return undefined;
		const level = path.split('/').length - 2;
		const all = ['', 'north/', 'south/', 'west/'];
		const number =
			path
				.slice(1)
				.split('/')
				.slice(0, -1)
				.reduce((sum, each) => sum * 3 + all.indexOf(`${each}/`), 0) + 1;
		const text = `${words('template', 500)}. ${phrase(`leaf ${number}`)}. ${words(`leaf ${number}`, 25)}`;
		return short(`Leaf ${number}`, text, level < 3 ? all.slice(1) : []);
	}),
	site('a template that names the front page as canonical', of('lost', 50), (path) => {
		const number = path === '/' ? 0 : Number(/^\/t\/(\d+)$/.exec(path)?.[1]);
		if (!(number <= 50)) return undefined;
		return page(
			number === 0 ? 'front' : `lost ${number}`,
			upTo(50).map((each) => `/t/${each}`),
			{ head: canonicalTag('/') },
		);
	}),
	site('pages of a list that name the first as canonical', of('post', 60), (path) => {
		const { at, query } = parse(path);
		const number = Number(query.get('page') ?? 1);
		if (at === '/') return page('blog front', ['/blog?page=2', '/blog']);
		const [, post] = /^\/post\/(\d+)$/.exec(at) ?? [];
		if (post !== undefined) return page(`post ${post}`, ['/blog']);
		if (at !== '/blog' || number > 12) return undefined;
		const links = upTo(5, (number - 1) * 5 + 1).map((each) => `/post/${each}`);
		return short(
			`Blog ${number}`,
			words(`blog ${number}`, 60),
			[...links, `/blog?page=${number + 1}`],
			canonicalTag('/blog'),
		);
	}),
	site('routes there and back', of('route', 40), (path) => {
		const towns = ['amble', 'bude', 'cowes', 'deal', 'exe'];
		const pairs = towns.flatMap((from) => towns.flatMap((to) => (from === to ? [] : `/route/${from}+${to}`)));
		const all = [...pairs, ...pairs.map((pair) => pair.replace('/route/', '/ferry/').replace('+', '/'))];
		if (path === '/') return short('Routes', 'There and back.', all);
		const number = all.indexOf(path) + 1;
		return number === 0 ? undefined : page(`route ${number}`, []);
	}),
	site('an archive of numbered pages with one link each', of('story', 150), (path) => {
		const [, kind, text] = /^\/(archive|story-[a-z]+)\/(\d+)$/.exec(path) ?? [];
		const number = Number(text);
		if (path === '/') return page('archive front', ['/archive/1']);
		if (!(number <= 150)) return undefined;
		if (kind === 'archive')
			return short(`Archive ${number}`, 'One story a day.', [`/story-x/${number}`, `/archive/${number + 1}`]);
		return page(`story ${number}`, []);
	}),
	site('one script for lists and articles', of('piece', 96), (path) => {
		const { at, query } = parse(path);
		const [cat, number] = [Number(query.get('cat')), Number(query.get('page') ?? 1)];
		if (at === '/')
			return short(
				'Index',
				'Eight categories.',
				upTo(8).map((each) => `/index.php?cat=${each}&page=1`),
			);
		if (at !== '/index.php') return undefined;
		if (query.has('article')) return page(`piece ${query.get('article')}`, []);
		const first = (cat - 1) * 12 + (number - 1) * 4;
		const sorts = ['date', 'title', 'author'].map((sort) => `/index.php?cat=${cat}&page=${number}&sort=${sort}`);
		const next = number < 3 ? [`/index.php?cat=${cat}&page=${number + 1}`] : [];
		return short(`Category ${cat}`, `Page ${number}.`, [
			...upTo(4, first + 1).map((each) => `/index.php?article=${each}`),
			...next,
			...sorts,
		]);
	}),
	site('photographs with a caption', of('photo', 60), (path) => {
		if (path === '/')
			return short(
				'Photographs',
				'All.',
				upTo(60).map((each) => `/photo/${each}`),
			);
		const [, photo] = /^\/photo\/(\d+)$/.exec(path) ?? [];
		return !(Number(photo) <= 60)
			? undefined
			: short('Photograph', `<img src="/i/${photo}.jpg" alt="view"> ${phrase(`photo ${photo}`)}`, [
					`/photo/${Number(photo) + 1}`,
				]);
	}),
	site('two versions of a manual, nearly alike', [...of('v-one', 30), ...of('v-two', 30)], (path) => {
		if (path === '/') return short('Manual', 'Two versions.', ['/v1/manual/', '/v2/manual/']);
		const [, version, chapter = '0'] = /^\/v([12])\/manual\/(?:chapter-(\d+)\/)?$/.exec(path) ?? [];
		if (version === undefined || Number(chapter) > 30) return undefined;
		if (chapter === '0')
			return short(
				`Version ${version}`,
				words('contents', 60),
				upTo(30).map((each) => `chapter-${each}/`),
			);
		return short(
			`Chapter ${chapter}`,
			`${words(`chapter ${chapter}`, 200)}. ${phrase(`${version === '1' ? 'v-one' : 'v-two'} ${chapter}`)}`,
			['../'],
		);
	}),
	site('videos under ?v=, a text that most share', of('video', 60), (path) => {
		const { at, query } = parse(path);
		const id = (each: number) => hex(each).slice(-11);
		if (at === '/')
			return short(
				'Videos',
				'New.',
				upTo(20).map((each) => `/watch?v=${id(each)}`),
			);
		const number = upTo(60).find((each) => id(each) === query.get('v')) ?? 0;
		if (at !== '/watch' || number === 0) return undefined;
		return short(
			phrase(`video ${number}`),
			words('subscribe', 90),
			upTo(3).map((step) => `/watch?v=${id(((number * 3 + step - 1) % 60) + 1)}&from=related`),
		);
	}),
	site('a shop by category and page, with sort orders', of('thing', 120), (path) => {
		const { at, query } = parse(path);
		const [cat, number] = [Number(query.get('cat')), Number(query.get('page') ?? 1)];
		if (at === '/')
			return short(
				'Shop',
				'By category.',
				upTo(6).map((each) => `/list?cat=${each}`),
			);
		const [, thing] = /^\/thing\/(\d+)$/.exec(at) ?? [];
		if (thing !== undefined) return product(`thing ${thing}`, []);
		if (at !== '/list' || !(cat <= 6)) return undefined;
		const first = (cat - 1) * 20 + (number - 1) * 5;
		const things = upTo(5, first + 1).map((each) => `/thing/${each}`);
		const next = number < 4 ? [`/list?cat=${cat}&page=${number + 1}`] : [];
		const sorts = ['price', 'name', 'new'].flatMap((sort) =>
			['asc', 'desc'].map((order) => `/list?cat=${cat}&page=${number}&sort=${sort}&order=${order}`),
		);
		return short(`Category ${cat}`, `Page ${number}.`, [...sorts, ...things, ...next]);
	}),
	site('pages to come, equal byte for byte, among real ones', of('ready', 30), (path) => {
		const [, number] = /^\/project\/(\d+)\/$/.exec(path) ?? [];
		if (path === '/')
			return short(
				'Projects',
				'All.',
				upTo(60).map((each) => `/project/${each}/`),
			);
		if (number === undefined)
			return /^\/project\/\d+\/plan\/$/.test(path)
				? short('Plan', phrase(`ready ${Number(path.split('/')[2]) / 2}`), [])
				: undefined;
		return Number(number) % 2 === 0
			? short('Project', words(`project ${number}`, 80), ['plan/'])
			: short('To come', 'This page is to come.', ['/']);
	}),
];
