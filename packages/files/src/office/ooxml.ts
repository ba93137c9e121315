import type { FileLimits } from '../types.ts';
import { decodeXml, elementsOf, parseTree, type XmlElement } from './xml.ts';
import { unpack } from './zip.ts';

export interface Relation {
	/** A URL, or the path of a part. */
	readonly target: string;
	readonly isExternal: boolean;
}

/** The parts of an Office Open XML file (ECMA-376 part 2), read when they are needed. */
export interface OfficeParts {
	has(name: string): boolean;
	/** An empty text for a part that is missing. */
	text(name: string): string;
	/** Names are without prefixes. */
	tree(name: string): XmlElement;
	/** The relations of a part by their ids. */
	relations(name: string): ReadonlyMap<string, Relation>;
}

/** @throws FileError */
export function openParts(bytes: Uint8Array, isRead: RegExp, limits: FileLimits): OfficeParts {
	const parts = unpack(bytes, (name) => isRead.test(name), limits.size << 20);
	const text = (name: string): string => {
		const part = parts.get(name);
		return part === undefined ? '' : decodeXml(part);
	};
	const tree = (name: string): XmlElement => parseTree(text(name), { part: name, local: true });
	return {
		has: (name) => parts.has(name),
		text,
		tree,
		relations(name) {
			const [, folder = '', file = ''] = /^(.*\/)?([^/]*)$/.exec(name) ?? [];
			const found = elementsOf(elementsOf(tree(`${folder}_rels/${file}.rels`))[0], 'Relationship');
			return new Map(
				found.map(({ attributes: { Id = '', Target = '', TargetMode } }) => {
					const isExternal = TargetMode === 'External';
					return [Id, { target: isExternal ? Target : resolvePath(folder, Target), isExternal }];
				}),
			);
		},
	};
}

/** An attribute with a prefix that programs choose. */
export const prefixed = ({ attributes }: XmlElement, name: string): string | undefined =>
	Object.entries(attributes).find(([key]) => key.endsWith(`:${name}`))?.[1];

/** The path that a relative reference in a folder of an archive leads to; it does not leave the archive. */
export function resolvePath(folder: string, reference: string): string {
	const path: string[] = [];
	const parts = (reference.startsWith('/') ? reference : folder + reference).split('/');
	for (const part of parts) {
		if (part === '..') path.pop();
		else if (part !== '' && part !== '.') path.push(part);
	}
	return path.join('/');
}

/** A link that leads out of the file, if people can follow it. */
export const followable = (target: string | undefined): string | undefined =>
	target !== undefined && /^(?:https?|mailto|tel):/i.test(target) ? target : undefined;
