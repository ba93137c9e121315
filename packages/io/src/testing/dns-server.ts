import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import dnsPacket, { type Answer } from 'dns-packet';

/** What the server says to a question, by `TYPE name`; a name that is not here does not exist. */
export type Zone = Readonly<Record<string, readonly Answer[] | 'SERVFAIL' | 'REFUSED' | 'silence'>>;

const codes = { SERVFAIL: 2, REFUSED: 5 } as const;

/** A DNS server on the loopback for the resolver's tests. */
export async function startDnsServer(zone: Zone) {
	const socket = createSocket('udp4');
	const asked: string[] = [];
	socket.on('message', (message, peer) => {
		const query = dnsPacket.decode(message);
		const [question] = query.questions ?? [];
		if (question === undefined) return;
		const key = `${question.type} ${question.name}`;
		asked.push(key);
		const entry = zone[key];
		if (entry === 'silence') return;
		const named = Object.keys(zone).some((each) => each.endsWith(` ${question.name}`));
		const code = typeof entry === 'string' ? codes[entry] : entry === undefined && !named ? 3 : 0;
		const answers = typeof entry === 'object' ? [...entry] : [];
		const flags = dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE | code;
		const packet = { type: 'response' as const, id: query.id ?? 0, flags, questions: [question], answers };
		socket.send(dnsPacket.encode(packet), peer.port, peer.address);
	});
	socket.bind(0, '127.0.0.1');
	await once(socket, 'listening');
	const { port } = socket.address() as AddressInfo;
	return { address: `127.0.0.1:${port}`, asked, close: () => new Promise<void>((done) => socket.close(() => done())) };
}
