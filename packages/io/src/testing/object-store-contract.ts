import assert from 'node:assert/strict';
import type { ObjectStore } from '../objects/types.ts';

export async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
	const found: Value[] = [];
	for await (const value of values) found.push(value);
	return found;
}

/** What every place for objects does; `open` gives an empty one. */
export const objectStoreContract: Readonly<Record<string, (store: ObjectStore) => Promise<void>>> = {
	async 'gives back what was put, and replaces it as a whole'(store) {
		await store.put('a/b-1.json', Buffer.from('one'));
		assert.equal(String(Buffer.from((await store.get('a/b-1.json')) ?? [])), 'one');
		await store.put('a/b-1.json', Buffer.from('two and more'));
		assert.equal(String(Buffer.from((await store.get('a/b-1.json')) ?? [])), 'two and more');
		assert.equal((await store.head('a/b-1.json'))?.size, 12);
	},
	async 'has nothing where nothing was put'(store) {
		assert.equal(await store.get('none'), undefined);
		assert.equal(await store.head('none'), undefined);
		await assert.rejects(async () => void (await store.read('none')[Symbol.asyncIterator]().next()), {
			code: 'missing',
		});
		await store.delete(['none', 'a/none']);
	},
	async 'holds an empty object'(store) {
		await store.put('empty', new Uint8Array());
		assert.equal((await store.get('empty'))?.length, 0);
	},
	async 'lists by the beginning of keys, with sizes and times'(store) {
		for (const key of ['l/aa/1', 'l/aa/2', 'l/ab/3', 'l/b', 'l/c', 'm/1']) await store.put(key, Buffer.from(key));
		const keys = async (prefix: string) => (await all(store.list(prefix))).map(({ key }) => key).sort();
		assert.deepEqual(await keys('l/'), ['l/aa/1', 'l/aa/2', 'l/ab/3', 'l/b', 'l/c']);
		assert.deepEqual(await keys('l/a'), ['l/aa/1', 'l/aa/2', 'l/ab/3']);
		assert.deepEqual(await keys('none/'), []);
		const [first] = await all(store.list('m/'));
		assert.equal(first?.size, 3);
		assert.ok(Math.abs((first?.modifiedAt ?? 0) - Date.now()) < 60_000);
		await store.delete(['l/aa/1', 'l/b']);
		assert.deepEqual(await keys('l/'), ['l/aa/2', 'l/ab/3', 'l/c']);
	},
	async 'takes and gives large objects in pieces'(store) {
		async function* pieces() {
			for (let at = 0; at < 9; at++) yield Buffer.alloc((2 << 20) + 7, at);
		}
		await store.put('large', pieces());
		assert.equal((await store.head('large'))?.size, 9 * ((2 << 20) + 7));
		const read = Buffer.concat(await all(store.read('large')));
		assert.equal(Buffer.compare(read, Buffer.concat(await all(pieces()))), 0);
		await store.put(
			'small',
			(async function* () {
				yield Buffer.from('a');
				yield Buffer.from('b');
			})(),
		);
		assert.equal(String(Buffer.from((await store.get('small')) ?? [])), 'ab');
	},
	async 'leaves nothing of a body that breaks off'(store) {
		const broken = async function* () {
			yield Buffer.alloc(9 << 20);
			yield Buffer.alloc(9 << 20);
			throw new Error('broke off');
		};
		await assert.rejects(store.put('broken/1', broken()), /broke off/);
		assert.equal(await store.head('broken/1'), undefined);
		assert.deepEqual(await all(store.list('broken/')), []);
	},
};
