import { isObjectPlace, type ObjectStore, ObjectStoreError, openObjectStore } from '@wayleave/io/objects';

export { isObjectPlace };

/** The object that a person named: `s3://BUCKET/FOLDER/NAME?endpoint=…`. @throws ObjectStoreError */
async function openNamed(name: string): Promise<{ objects: ObjectStore; key: string }> {
	const [, folder = '', key = '', query = ''] = /^(s3:\/\/[^?]*)\/([^/?]+)(\?.*)?$/is.exec(name) ?? [];
	if (key === '') throw new ObjectStoreError('bad-place', `${name}: name one object: s3://BUCKET/FOLDER/NAME`);
	return { objects: await openObjectStore(`${folder}${query}`), key };
}

/** An object as a whole. @throws ObjectStoreError */
export async function readObject(name: string): Promise<Uint8Array> {
	const parts: Uint8Array[] = [];
	for await (const part of streamObject(name)) parts.push(part);
	return Buffer.concat(parts);
}

/** An object in pieces: it may be larger than the memory. @throws ObjectStoreError */
export async function* streamObject(name: string): AsyncGenerator<Uint8Array> {
	const { objects, key } = await openNamed(name);
	try {
		yield* objects.read(key);
	} finally {
		objects.close();
	}
}
