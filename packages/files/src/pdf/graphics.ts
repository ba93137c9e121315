import { Painted, widestSide } from './painted.ts';
import { drawnSize, namesNoCharacters, type PdfFont, shownText, typefaceOf, unknownCharacter } from './typeface.ts';
import type { Box, Colour, PageMarks, Typeface } from './types.ts';

type Matrix = readonly [number, number, number, number, number, number];

/** The part of the graphics state that decides where text is and whether it is seen (ISO 32000-1 §8.4, §9.3). */
interface State {
	matrix: Matrix;
	clip: Box;
	fill: Colour;
	stroke: Colour;
	fillAlpha: number;
	strokeAlpha: number;
	/** Blended with what is behind it: covers nothing. */
	blends: boolean;
	/** A picture that is drawn now is transparent in parts. */
	masked: boolean;
	font: PdfFont | undefined;
	typeface: Typeface;
	fontSize: number;
	charSpacing: number;
	wordSpacing: number;
	scale: number;
	leading: number;
	mode: number;
	rise: number;
}

/** A drawing operation of pdf.js: its number, and its arguments. */
export interface OperatorList {
	readonly fnArray: readonly number[];
	readonly argsArray: readonly unknown[];
}

export interface PageInput {
	readonly operators: OperatorList;
	/** Names of the operations by number. */
	readonly names: Readonly<Record<number, string>>;
	/** From the file's coordinates to those of the visible page. */
	readonly transform: Matrix;
	readonly width: number;
	readonly height: number;
	readonly font: (name: string) => PdfFont | undefined;
	/** Whether an optional content group is shown. */
	readonly isShown: (group: unknown) => boolean;
}

const plain: Typeface = { bold: false, italic: false, mono: false };

const multiply = (m: Matrix, n: Matrix): Matrix => [
	m[0] * n[0] + m[2] * n[1],
	m[1] * n[0] + m[3] * n[1],
	m[0] * n[2] + m[2] * n[3],
	m[1] * n[2] + m[3] * n[3],
	m[0] * n[4] + m[2] * n[5] + m[4],
	m[1] * n[4] + m[3] * n[5] + m[5],
];

const intersect = (a: Box, b: Box): Box => [
	Math.max(a[0], b[0]),
	Math.max(a[1], b[1]),
	Math.min(a[2], b[2]),
	Math.min(a[3], b[3]),
];

const boxOf = (m: Matrix, [x0, y0, x1, y1]: readonly number[]): Box => {
	const corners = [
		[x0, y0],
		[x1, y0],
		[x0, y1],
		[x1, y1],
	] as [number, number][];
	const xs = corners.map(([x, y]) => m[0] * x + m[2] * y + m[4]);
	const ys = corners.map(([x, y]) => m[1] * x + m[3] * y + m[5]);
	return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};

/** Paths are kept only up to this many parts: drawings have no rules of tables. */
const maxParts = 400;
/** Nested `save`, as pdf.js and viewers allow far less in practice. */
const maxDepth = 500;

/** Arguments of each part of a path, by the name of its operation. */
const partLengths: Readonly<Record<string, number>> = {
	moveTo: 2,
	lineTo: 2,
	curveTo: 6,
	curveTo2: 4,
	curveTo3: 4,
	closePath: 0,
	rectangle: 4,
};

/** Follows the drawing operations of a page and notes text, thin lines and images where they appear. */
export function interpretPage(input: PageInput): PageMarks {
	const drawing = new Drawing(input);
	const { fnArray, argsArray } = input.operators;
	for (let at = 0; at < fnArray.length; at++)
		drawing.run(input.names[fnArray[at]!] ?? '', (argsArray[at] ?? []) as unknown[]);
	return drawing.painted.marks();
}

type Operation = (drawing: Drawing, args: unknown[]) => void;

class Drawing {
	readonly painted: Painted;
	readonly #input: PageInput;
	readonly #stack: State[] = [];
	#state: State;
	#textMatrix: Matrix = [1, 0, 0, 1, 0, 0];
	#lineMatrix: Matrix = [1, 0, 0, 1, 0, 0];
	#path: Path = noPath;
	#clips = false;
	readonly #content: { mcid: number | undefined; artifact: boolean; hidden: boolean }[] = [];

	constructor(input: PageInput) {
		this.#input = input;
		const clip: Box = [0, 0, input.width, input.height];
		this.painted = new Painted(clip);
		this.#state = {
			matrix: input.transform,
			clip,
			fill: [0, 0, 0],
			stroke: [0, 0, 0],
			fillAlpha: 1,
			strokeAlpha: 1,
			blends: false,
			masked: false,
			font: undefined,
			typeface: plain,
			fontSize: 0,
			charSpacing: 0,
			wordSpacing: 0,
			scale: 1,
			leading: 0,
			mode: 0,
			rise: 0,
		};
	}

	run(name: string, args: unknown[]): void {
		operations[name]?.(this, args);
	}

	get state(): State {
		return this.#state;
	}

	save(): void {
		if (this.#stack.length < maxDepth) this.#stack.push({ ...this.#state });
	}

	restore(): void {
		this.#state = this.#stack.pop() ?? this.#state;
	}

	transform(args: readonly unknown[]): void {
		this.#state.matrix = multiply(this.#state.matrix, args as unknown as Matrix);
	}

	clipTo(box: readonly number[]): void {
		this.#state.clip = intersect(this.#state.clip, boxOf(this.#state.matrix, box));
	}

	beginContent(tag: unknown, props: unknown): void {
		const name = typeof tag === 'string' ? tag : (tag as { name?: string } | undefined)?.name;
		const outer = this.#content.at(-1);
		const hidden = name === 'OC' && !this.#input.isShown(props);
		this.#content.push({
			mcid: typeof props === 'number' ? props : outer?.mcid,
			artifact: name === 'Artifact' || outer?.artifact === true,
			hidden: hidden || outer?.hidden === true,
		});
	}

	endContent(): void {
		this.#content.pop();
	}

	beginText(): void {
		this.setTextMatrix([1, 0, 0, 1, 0, 0]);
	}

	setTextMatrix(args: readonly unknown[]): void {
		this.#textMatrix = args as unknown as Matrix;
		this.#lineMatrix = this.#textMatrix;
	}

	moveText(x: number, y: number): void {
		this.#lineMatrix = multiply(this.#lineMatrix, [1, 0, 0, 1, x, y]);
		this.#textMatrix = this.#lineMatrix;
	}

	setFont(name: string, size: number): void {
		this.#state.font = this.#input.font(name);
		this.#state.typeface = this.#state.font === undefined ? plain : typefaceOf(this.#state.font);
		this.#state.fontSize = size;
	}

	showText(glyphs: readonly unknown[]): void {
		const { font, fontSize, scale, charSpacing, wordSpacing, rise, mode } = this.#state;
		const unit = font?.fontMatrix?.[0] ?? 0.001;
		const size = font?.isType3Font === true ? drawnSize(glyphs, fontSize, fontSize * unit) : fontSize;
		const unnamed = font !== undefined && namesNoCharacters(font);
		const content = this.#content.at(-1);
		const strokes = mode === 1 || mode === 5;
		const alpha = strokes ? this.#state.strokeAlpha : this.#state.fillAlpha;
		const unseen = mode === 3 || mode === 7 || alpha < 0.05 || content?.hidden === true;
		this.painted.beginRun(strokes ? this.#state.stroke : this.#state.fill);
		for (const glyph of glyphs) {
			if (typeof glyph === 'number') {
				this.#advance(((-glyph * fontSize) / 1000) * scale);
				continue;
			}
			const { unicode, width, isSpace } = glyph as { unicode?: string; width?: number; isSpace?: boolean };
			const wide = (width ?? 0) * unit * fontSize;
			const m = multiply(this.#state.matrix, multiply(this.#textMatrix, [1, 0, 0, 1, 0, rise]));
			this.painted.glyph({
				text: unnamed ? unknownCharacter : shownText(unicode ?? '', font),
				matrix: m,
				advance: wide * scale,
				size,
				typeface: this.#state.typeface,
				mcid: content?.mcid,
				artifact: content?.artifact === true,
				unseen,
				clip: this.#state.clip,
			});
			this.#advance((wide + charSpacing + (isSpace === true ? wordSpacing : 0)) * scale);
		}
		this.painted.endRun();
	}

	#advance(by: number): void {
		const [a, b, c, d, e, f] = this.#textMatrix;
		this.#textMatrix = [a, b, c, d, e + a * by, f + b * by];
	}

	constructPath(parts: readonly number[], numbers: readonly number[]): void {
		const path = { lines: [] as Box[], boxes: [] as Box[], bounds: undefined as Box | undefined, round: false };
		const curves: Box[] = [];
		let at = 0;
		let [x, y] = [0, 0];
		for (const part of parts.length > maxParts ? [] : parts) {
			const name = this.#input.names[part] ?? '';
			const length = partLengths[name] ?? 0;
			const given = numbers.slice(at, at + length);
			at += length;
			if (name === 'rectangle') {
				const [left, top, wide, high] = given as [number, number, number, number];
				path.boxes.push(boxOf(this.#state.matrix, [left, top, left + wide, top + high]));
				[x, y] = [left, top];
			} else if (length > 0) {
				const [toX, toY] = given.slice(-2) as [number, number];
				if (name === 'lineTo') path.lines.push(this.#line(x, y, toX, toY));
				else if (name !== 'moveTo') curves.push(this.#line(x, y, toX, toY));
				[x, y] = [toX, toY];
			}
		}
		path.bounds = extentOf([...path.boxes, ...path.lines, ...curves]);
		path.round = curves.length >= 2;
		this.#path = path;
	}

	#line(x0: number, y0: number, x1: number, y1: number): Box {
		const m = this.#state.matrix;
		return [
			m[0] * x0 + m[2] * y0 + m[4],
			m[1] * x0 + m[3] * y0 + m[5],
			m[0] * x1 + m[2] * y1 + m[4],
			m[1] * x1 + m[3] * y1 + m[5],
		];
	}

	paint(fills: boolean, strokes: boolean, evenOdd = false): void {
		const { lines, boxes, bounds, round } = this.#path;
		const { clip, fill, fillAlpha, blends } = this.#state;
		const hidden = this.#content.at(-1)?.hidden === true;
		// A box with a hole in it is a border.
		const [outer, inner] = boxes;
		if (fills && evenOdd && boxes.length === 2 && outer && inner && lines.length === 0 && isBorder(outer, inner)) {
			if (!hidden) this.painted.border(outer, inner, clip);
		} else if (fills && !hidden)
			this.painted.fill({ lines, boxes, colour: fill, alpha: blends ? 0.5 : fillAlpha, clip });
		if (strokes && !hidden) this.painted.stroke(lines, boxes, clip);
		if (bounds !== undefined && !hidden && (round || (fills && boxes.length === 1))) this.painted.dot(bounds, clip);
		this.endPath();
	}

	clip(): void {
		this.#clips = true;
	}

	endPath(): void {
		const { bounds } = this.#path;
		if (this.#clips && bounds !== undefined) this.#state.clip = intersect(this.#state.clip, bounds);
		this.#clips = false;
		this.#path = noPath;
	}

	image(opaque: boolean): void {
		const content = this.#content.at(-1);
		if (content?.hidden === true) return;
		const box = intersect(boxOf(this.#state.matrix, [0, 0, 1, 1]), this.#state.clip);
		const { fillAlpha, blends, masked } = this.#state;
		this.painted.image(box, opaque && fillAlpha > 0.9 && !blends && !masked, content?.mcid);
	}

	setGraphics(entries: readonly (readonly [string, unknown])[]): void {
		for (const [key, value] of entries) {
			if (key === 'ca') this.#state.fillAlpha = Number(value);
			else if (key === 'CA') this.#state.strokeAlpha = Number(value);
			else if (key === 'BM') this.#state.blends = value !== 'source-over' && value !== 'Normal';
			else if (key === 'SMask') this.#state.masked = true;
			else if (key === 'Font' && Array.isArray(value)) this.setFont(String(value[0]), Number(value[1]));
		}
	}
}

interface Path {
	readonly lines: Box[];
	readonly boxes: Box[];
	readonly bounds: Box | undefined;
	/** Made of curves. */
	readonly round: boolean;
}

const noPath: Path = { lines: [], boxes: [], bounds: undefined, round: false };

const isBorder = (a: Box, b: Box): boolean => a.every((side, at) => Math.abs(side - b[at]!) < widestSide);

function extentOf(boxes: readonly Box[]): Box | undefined {
	if (boxes.length === 0) return undefined;
	const [xs, ys] = [boxes.flatMap(([a, , c]) => [a, c]), boxes.flatMap(([, b, , d]) => [b, d])];
	return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

const colourOf = (args: readonly unknown[]): Colour => {
	if (typeof args[0] === 'string') {
		const [, r = '0', g = '0', b = '0'] = /^#(..)(..)(..)$/.exec(args[0]) ?? [];
		return [Number.parseInt(r, 16), Number.parseInt(g, 16), Number.parseInt(b, 16)];
	}
	return [Number(args[0]), Number(args[1]), Number(args[2])];
};

/** Sets one number of the graphics state. */
const setNumber =
	(name: 'charSpacing' | 'wordSpacing' | 'mode' | 'rise'): Operation =>
	({ state }, [value]) => {
		state[name] = Number(value);
	};

/** Sets a colour; undefined for a pattern. */
const setColour =
	(name: 'fill' | 'stroke', read: (args: readonly unknown[]) => Colour): Operation =>
	({ state }, args) => {
		state[name] = read(args);
	};

const nextLine: Operation = (drawing) => drawing.moveText(0, drawing.state.leading);
const showText: Operation = (drawing, [glyphs]) => drawing.showText(glyphs as unknown[]);
const stroke: Operation = (drawing) => drawing.paint(false, true);
const fillStroke: Operation = (drawing) => drawing.paint(true, true);
const clip: Operation = (drawing) => drawing.clip();
const opaqueImage: Operation = (drawing) => drawing.image(true);
const imageMask: Operation = (drawing) => drawing.image(false);

const operations: Readonly<Record<string, Operation>> = {
	save: (drawing) => drawing.save(),
	restore: (drawing) => drawing.restore(),
	transform: (drawing, args) => drawing.transform(args),
	paintFormXObjectBegin(drawing, [matrix, box]) {
		drawing.save();
		if (Array.isArray(matrix)) drawing.transform(matrix);
		if (box !== null && box !== undefined) drawing.clipTo([...(box as number[])]);
	},
	paintFormXObjectEnd: (drawing) => drawing.restore(),
	beginGroup: (drawing) => drawing.save(),
	endGroup: (drawing) => drawing.restore(),
	beginMarkedContent: (drawing, [tag]) => drawing.beginContent(tag, undefined),
	beginMarkedContentProps: (drawing, [tag, props]) => drawing.beginContent(tag, props),
	endMarkedContent: (drawing) => drawing.endContent(),
	beginText: (drawing) => drawing.beginText(),
	// Some versions of pdf.js pass the six numbers as one array.
	setTextMatrix: (drawing, args) => drawing.setTextMatrix(Array.isArray(args[0]) ? args[0] : args),
	moveText: (drawing, [x, y]) => drawing.moveText(Number(x), Number(y)),
	setLeadingMoveText(drawing, [x, y]) {
		drawing.state.leading = -Number(y);
		drawing.moveText(Number(x), Number(y));
	},
	setLeading({ state }, [leading]) {
		state.leading = -Number(leading);
	},
	nextLine,
	setFont: (drawing, [name, size]) => drawing.setFont(String(name), Number(size)),
	setCharSpacing: setNumber('charSpacing'),
	setWordSpacing: setNumber('wordSpacing'),
	setHScale({ state }, [value]) {
		state.scale = Number(value) / 100;
	},
	setTextRenderingMode: setNumber('mode'),
	setTextRise: setNumber('rise'),
	showText,
	showSpacedText: showText,
	nextLineShowText(drawing, args) {
		nextLine(drawing, []);
		showText(drawing, args);
	},
	nextLineSetSpacingShowText(drawing, [word, char, glyphs]) {
		drawing.state.wordSpacing = Number(word);
		drawing.state.charSpacing = Number(char);
		nextLine(drawing, []);
		showText(drawing, [glyphs]);
	},
	setFillRGBColor: setColour('fill', colourOf),
	setStrokeRGBColor: setColour('stroke', colourOf),
	setFillColorN: setColour('fill', () => undefined),
	setStrokeColorN: setColour('stroke', () => undefined),
	setGState: (drawing, [entries]) => drawing.setGraphics(entries as [string, unknown][]),
	constructPath: (drawing, [parts, numbers]) => drawing.constructPath(parts as number[], numbers as number[]),
	fill: (drawing) => drawing.paint(true, false),
	eoFill: (drawing) => drawing.paint(true, false, true),
	stroke,
	closeStroke: stroke,
	fillStroke,
	eoFillStroke: fillStroke,
	closeFillStroke: fillStroke,
	closeEOFillStroke: fillStroke,
	clip,
	eoClip: clip,
	endPath: (drawing) => drawing.endPath(),
	paintImageXObject: opaqueImage,
	paintInlineImageXObject: opaqueImage,
	paintImageMaskXObject: imageMask,
	paintSolidColorImageMask: imageMask,
};
