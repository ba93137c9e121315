// A gateway in a process of its own: prints its port, then its notes. Started by gateway-process.ts.
import { checkConfig } from '../config/load.ts';
import { openGateway } from '../running/open-gateway.ts';
import type { GatewayProcessOptions } from './gateway-process.ts';

const { config, upstream, base } = JSON.parse(process.argv[2] ?? '{}') as GatewayProcessOptions;
const notes: string[] = [];
let tell: (text: string) => void = (text) => void notes.push(text);
const running = await openGateway(checkConfig(config), { upstream, base, onNote: (text) => tell(text) });
const { port } = await running.listen(0, '127.0.0.1');
console.log(port);
tell = (text) => console.log(text);
for (const text of notes) tell(text);
process.once('SIGTERM', () => void running.close(1000).then(() => process.exit(0)));
