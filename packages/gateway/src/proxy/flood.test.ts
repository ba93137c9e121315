import { it } from 'vitest';
import { expectFlat, flood } from '../testing/flood.ts';

it('names, queries, clients that dribble or never close, and a site that dies: nothing grows, all recovers', async () => {
	expectFlat(await flood({ names: 2000, clients: 40 }), 40);
}, 120_000);
