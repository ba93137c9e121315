import { it } from 'vitest';
import { expectFlat, flood } from '../testing/flood.ts';

it('100,000 names, 100,000 queries, 400 clients that dribble, 400 that never close, a site that dies', async () => {
	const before = process.memoryUsage().rss;
	const figures = await flood({ names: 100_000, clients: 400 });
	console.log(JSON.stringify(figures, undefined, '\t'));
	console.log(`resident: ${((process.memoryUsage().rss - before) / 1e6).toFixed()} MB more`);
	expectFlat(figures, 400);
});
