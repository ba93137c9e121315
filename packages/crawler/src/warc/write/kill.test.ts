import { expect, it } from 'vitest';
import { crawlAndKill } from '../../testing/kill.ts';
import { seeded } from '../../testing/random.ts';
import { readWarc } from '../read/read-warc.ts';
import { checkArchive } from '../testing/check-bytes.ts';

it('CB-122 kill -9 and resume: every whole record can be read, and no broken tail stays in the archive', async () => {
	const pages = 200;
	const read: number[] = [];
	const { archive, lines } = await crawlAndKill(pages, 3, seeded(122), 'simple', async (broken) => {
		let records = 0;
		for await (const item of readWarc(streamOf(broken))) {
			if ('record' in item) records++;
			else expect(item.problem.code).toBe('warc-cut');
		}
		read.push(records);
	});
	expect(read.every((records, at) => records > (read[at - 1] ?? 0))).toBe(true);
	const records = checkArchive(archive);
	const answered = records.filter(({ type }) => type === 'response').map(({ fields }) => fields['WARC-Target-URI']!);
	expect(answered.length).toBe(new Set(answered).size);
	expect(lines.filter((url) => !answered.includes(url))).toEqual([]);
}, 120_000);

async function* streamOf(bytes: Uint8Array) {
	for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000);
}
