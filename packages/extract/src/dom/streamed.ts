import type { Document, Element } from './node.ts';
import { walk } from './walk.ts';

/** A page without this has no streamed parts. */
export const STREAMED = 'id="S:';

/**
 * Puts parts that a server sent later where a script would put them: React writes `<template id="B:1">` in their place
 * and the part at the end of the page, in `<div hidden id="S:1">`.
 */
export function placeStreamedParts({ body }: Document): void {
	const places = new Map<string, Element>();
	const parts: Element[] = [];
	walk(body, (node) => {
		if (node.kind === 'text') return false;
		const [, kind, number] = /^([BPS]):([\da-z]+)$/i.exec(node.attributes.id ?? '') ?? [];
		if (kind === 'S') parts.push(node);
		else if (kind !== undefined && node.tag === 'template') places.set(number!, node);
		return true;
	});
	for (const part of parts) {
		const place = places.get(part.attributes.id!.slice(2));
		const parent = place?.parent;
		if (place === undefined || !parent || isInside(place, part)) continue;
		const at = parent.children.indexOf(place);
		parent.children.splice(at, 1, ...part.children);
		for (const child of part.children) child.parent = parent;
		part.children = [];
	}
}

function isInside(element: Element, outer: Element): boolean {
	for (let up: Element | null = element; up !== null; up = up.parent) if (up === outer) return true;
	return false;
}
