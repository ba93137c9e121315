import { aroundBit } from './around.ts';
import type { Block, Box } from './box.ts';

/**
 * The part that each block plays on its page: blocks whose box and the three around it have the same tags and classes
 * are the same part of each card, row or post of a series. Cells of a table also share the column.
 */
export interface Roles {
	/** The role of each block, by its number. */
	readonly of: Int32Array;
	readonly count: number;
}

export function findRoles(blocks: readonly Block[], boxes: readonly Box[]): Roles {
	const pairs = new Numbering(Math.min(boxes.length, 2 * blocks.length));
	const roles = new Numbering(Math.min(boxes.length, blocks.length));
	/** Of each box the number of its look with that of its parent, from 1. */
	const pairOf = new Int32Array(boxes.length);
	const pairAt = (box: Box): number => {
		const { index, look, parent } = box;
		const known = pairOf[index];
		if (known) return known;
		const pair = 1 + pairs.numberOf(look, parent === null ? -1 : parent.look);
		pairOf[index] = pair;
		return pair;
	};
	/** Of each box its role, from 1. */
	const roleOf = new Int32Array(boxes.length);
	const of = new Int32Array(blocks.length);
	for (let i = 0; i < blocks.length; i++) {
		const { box } = blocks[i]!;
		let role = roleOf[box.index]!;
		if (role === 0) {
			const outer = box.parent?.parent ?? null;
			role = 1 + roles.numberOf(pairAt(box) * columns + columnOf(box), outer === null ? 0 : pairAt(outer));
			roleOf[box.index] = role;
		}
		of[i] = role - 1;
	}
	return { of, count: roles.count };
}

/** Numbers pairs of numbers in the order in which they are met: a hash table without deletions. */
class Numbering {
	count = 0;
	readonly #mask: number;
	/** For each place the two numbers, and the number of the pair from 1. */
	readonly #places: Int32Array;

	/** @param limit no more pairs than this are numbered */
	constructor(limit: number) {
		const size = 2 ** Math.ceil(Math.log2(2 * limit + 1));
		this.#mask = size - 1;
		this.#places = new Int32Array(3 * size);
	}

	numberOf(first: number, second: number): number {
		const places = this.#places;
		const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
		let place = (mixed ^ (mixed >>> 15)) & this.#mask;
		for (;;) {
			const at = 3 * place;
			const number = places[at + 2]!;
			if (number === 0) {
				places[at] = first;
				places[at + 1] = second;
				places[at + 2] = ++this.count;
				return this.count - 1;
			}
			if (places[at] === first && places[at + 1] === second) return number - 1;
			place = (place + 1) & this.#mask;
		}
	}
}

const tableBit = aroundBit('table');
/** Columns from this one on share a number. */
const columns = 32;

/** The column of a cell, or of a box directly in a cell; 0 elsewhere. */
function columnOf(box: Box): number {
	if ((box.around & tableBit) === 0) return 0;
	const cell = isCell(box) ? box : box.parent;
	if (cell === null || !isCell(cell)) return 0;
	const siblings = cell.parent?.children ?? [];
	for (let column = 0; column < siblings.length && column < columns; column++)
		if (siblings[column] === cell) return Math.min(column + 1, columns - 1);
	return columns - 1;
}

const isCell = ({ element: { tag } }: Box): boolean => tag === 'td' || tag === 'th';
