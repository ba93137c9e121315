import type { Document, Element } from './node.ts';
import { walk } from './walk.ts';

/**
 * Moves parts that the server streamed later to where a script would put them: React writes `<template id="B:1">` as
 * the placeholder and the part at the end of the page, in `<div hidden id="S:1">`.
 */
export function placeStreamedParts({ body, templates }: Document): void {
	const places = new Map<string, Element>();
	for (const template of templates) {
		const number = placePattern.exec(template.attributes.id ?? '')?.[1];
		if (number !== undefined) places.set(number, template);
	}
	if (places.size === 0) return;
	const parts: Element[] = [];
	walk(body, (node) => {
		if (node.kind === 'element' && node.attributes.id?.startsWith('S:')) parts.push(node);
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

const placePattern = /^[BP]:([\da-z]+)$/i;

function isInside(element: Element, outer: Element): boolean {
	for (let up: Element | null = element; up !== null; up = up.parent) if (up === outer) return true;
	return false;
}
