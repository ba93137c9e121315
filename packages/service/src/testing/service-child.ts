// A service in a process of its own; prints its URL. Started by service-process.ts.
import { openService } from '../server/build-service.ts';
import { listen } from '../server/listen.ts';
import type { ServiceProcessOptions } from './service-process.ts';

const { store, hosts } = JSON.parse(process.argv[2] ?? '{}') as ServiceProcessOptions;
const service = await openService({
	open: false,
	store,
	fetching: {
		lookup: async () => [{ address: '127.0.0.1', family: 4 }],
		privateHosts: [...hosts],
		ownSites: [...hosts],
		delay: 0,
	},
});
const { address } = await listen(service, 0, '127.0.0.1');
console.log(`http://127.0.0.1:${address.port}`);
