import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readWarc } from './read-warc.ts';

const version = '1 0 Example\nURL IP-address Archive-date Content-type Archive-length\n';
const head = `filedesc://a.arc 0.0.0.0 20260105100000 text/plain ${version.length}\n${version}\n`;
const page = (path: string, text: string, more = '') => {
	const answer = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${text}`;
	return `http://quay.example.org${path} 192.0.2.7 20260105100000 text/html ${more}${answer.length}\n${answer}\n`;
};

async function read(...chunks: (string | Uint8Array)[]): Promise<string[]> {
	const found: string[] = [];
	for await (const item of readWarc(Readable.from(chunks.map((chunk) => Buffer.from(chunk)))))
		found.push(
			'problem' in item
				? item.problem.code
				: `${item.record.fields.get('warc-target-uri')} ${item.record.fields.get('warc-date')} ${Buffer.from(item.record.block).toString().slice(-3)}`,
		);
	return found;
}

const both = [
	'http://quay.example.org/a 2026-01-05T10:00:00Z aaa',
	'http://quay.example.org/b 2026-01-05T10:00:00Z bbb',
];

it('P2-201 reads the records of ARC 1 and ARC 2, plain and compressed, in chunks of any size', async () => {
	const file = head + page('/a', 'aaa') + page('/b', 'bbb', '200 checksum - 300 a.arc ');
	expect(await read(file)).toEqual(both);
	expect(await read(...[...file])).toEqual(both);
	const members = [head, page('/a', 'aaa'), page('/b', 'bbb')].map((each) => gzipSync(each));
	expect(await read(Buffer.concat(members))).toEqual(both);
});

it('P2-201 reports damaged records, and continues with the next one', async () => {
	const file = `${head}${page('/a', 'aaa')}broken line\nanother\n${page('/b', 'bbb')}`;
	expect(await read(file)).toEqual([both[0], 'warc-malformed-record', both[1]]);
	expect(await read(file.slice(0, -3))).toEqual([both[0], 'warc-malformed-record', 'warc-cut']);
});

it.each([-2, -1, 2, 3, 40])('a length that is off by %i bytes is reported, and both records are read', async (off) => {
	const wrong = (path: string, text: string) =>
		page(path, text).replace(/ (\d+)\n/, (_, length) => ` ${Number(length) + off}\n`);
	const found = await read(head + wrong('/a', 'aaa') + page('/b', 'bbb'));
	expect(found.filter((each) => each !== 'warc-wrong-length')).toEqual(both);
	expect(found).toHaveLength(3);
});

it('the last record may be shorter than it says, but not cut', async () => {
	const last = page('/b', 'bbb').replace(/ (\d+)\n/, (_, length) => ` ${Number(length) + 3}\n`);
	expect(await read(head + page('/a', 'aaa') + last)).toEqual([both[0], 'warc-wrong-length', both[1]]);
	expect(await read((head + page('/a', 'aaa') + last).slice(0, -1))).toEqual([both[0], 'warc-cut']);
});

it('text that quotes a record line ends no record', async () => {
	const quoted = page('/a', `x\nhttp://other.test/ 192.0.2.7 20260105100000 text/html 5\naaa`);
	expect(await read(head + quoted + page('/b', 'bbb'))).toEqual(both);
});
