import type { KnownKind, KnownSet } from './known.ts';
import { Random } from './random.ts';

/** Values from which a style sheet is put together. The sets share no entry of these lists. */
interface Looks {
	readonly fonts: readonly string[];
	readonly sizes: readonly number[];
	readonly leadings: readonly number[];
	readonly tables: readonly string[];
	readonly headings: readonly string[];
	readonly text: readonly string[];
	readonly gaps: readonly number[];
	readonly pages: readonly string[];
	readonly code: readonly string[];
	/** Of Arabic and Hebrew. */
	readonly rtl: readonly string[];
}

const looks: Readonly<Record<KnownSet, Looks>> = {
	choosing: {
		fonts: ['Liberation Serif', 'DejaVu Serif', 'Liberation Sans', 'Noto Sans', 'DejaVu Sans'],
		sizes: [10, 11, 12],
		leadings: [1.25, 1.4, 1.5],
		tables: [
			'td,th{border:1px solid #444;padding:3px 6px}table{border-collapse:collapse}',
			'td,th{border:1px solid #999;padding:1px 3px}',
			'td,th{border-bottom:1px solid #ccc;padding:5px 10px;text-align:left}table{border-collapse:collapse}',
			'td,th{padding:3px 12px;text-align:left}table{border-collapse:collapse}thead th{border-bottom:1.5px solid #000}',
			'td,th{padding:4px 14px;text-align:left}',
			'th{background:#234;color:#fff}td,th{padding:4px 9px}tr:nth-child(even) td{background:#eee}table{border-collapse:collapse;width:100%}',
		],
		headings: [
			'h1{font-size:2em}h2{font-size:1.5em}h3{font-size:1.2em}',
			'h1{font-size:1.7em}h2{font-size:1.3em}h3{font-size:1em}',
			'h1{font-size:2.4em;font-weight:normal}h2{font-size:1.6em;color:#225}h3{font-size:1.25em;font-style:italic}',
		],
		text: [
			'p{text-align:justify;hyphens:auto}',
			'p{text-align:left}',
			'p{text-align:justify;hyphens:auto;text-indent:1.4em;margin:0}',
		],
		gaps: [1.2, 1.6, 2.2],
		pages: ['size:A4;margin:2cm', 'size:letter;margin:2cm'],
		code: ['background:#f4f4f4;padding:8px', 'border:1px solid #ccc;padding:6px', 'margin-left:1.5em'],
		rtl: ['DejaVu Sans'],
	},
	former: {
		fonts: ['Nimbus Roman', 'Nimbus Sans', 'Noto Serif', 'C059', 'P052'],
		sizes: [9.5, 10.5, 11.5],
		leadings: [1.3, 1.35, 1.45],
		tables: [
			'td,th{border:0.7px solid #667;padding:4px 8px;text-align:left}table{border-collapse:collapse;width:100%}',
			'table{border-collapse:collapse;border-top:2px solid #000;border-bottom:2px solid #000}td,th{padding:3px 10px;text-align:left}thead th{border-bottom:1px solid #000}',
			'table{border-collapse:collapse}td,th{padding:5px 12px;border-top:1px dotted #888;text-align:left}',
			'th{background:#e0e6f0;text-align:left}td,th{padding:4px 10px;border-bottom:1px solid #ccd}table{border-collapse:collapse}',
			'td,th{padding:2px 16px 2px 0;text-align:left}th{font-style:italic}',
			'table{border:1.5px solid #000;border-collapse:collapse}td,th{border-left:1px solid #555;padding:3px 7px;text-align:left}thead th{border-bottom:1px solid #555}',
		],
		headings: [
			'h1{font-size:1.9em}h2{font-size:1.4em}h3{font-size:1.15em}',
			'h1{font-size:2.2em;color:#622}h2{font-size:1.55em;color:#622}h3{font-size:1.1em}',
			'h1{font-size:1.8em;text-align:center}h2{font-size:1.35em;border-bottom:1px solid #999}h3{font-size:1.05em}',
		],
		text: [
			'p{text-align:justify;hyphens:auto;margin:.5em 0}',
			'p{text-align:left;margin:.9em 0}',
			'p{text-align:justify;hyphens:auto;text-indent:1.8em;margin:0}',
		],
		gaps: [1.4, 1.9, 2.5],
		pages: ['size:A4;margin:2.4cm 1.8cm', 'size:letter;margin:2.2cm', 'size:B5;margin:1.7cm'],
		code: ['background:#eef2ee;padding:6px 10px', 'border-left:3px solid #88a;padding:4px 10px', 'margin:1em 2em'],
		rtl: ['DejaVu Sans', 'Noto Sans Arabic, Noto Sans Hebrew'],
	},
	third: {
		fonts: ['URW Bookman', 'Liberation Sans Narrow', 'URW Gothic', 'Noto Serif Display', 'DejaVu Serif Condensed'],
		sizes: [9, 10.8, 12.5],
		leadings: [1.2, 1.38, 1.6],
		tables: [
			'table{border-collapse:collapse;border:1px solid #000}td,th{border:1px solid #000;padding:2px 5px;text-align:center}',
			'table{border-collapse:collapse}td,th{padding:4px 11px;text-align:left}tr{border-bottom:1px solid #bbb}thead{border-top:2px solid #333;border-bottom:2px solid #333}',
			'td,th{padding:1px 18px 1px 0;text-align:left;vertical-align:top}',
			'table{border-collapse:collapse;width:80%}th{background:#444;color:#fafafa;text-align:left}td,th{padding:5px 8px}tr:nth-child(odd) td{background:#f0f0f6}',
			'td,th{border:2px groove #aaa;padding:4px;text-align:left}',
		],
		headings: [
			'h1{font-size:2.1em;text-transform:none}h2{font-size:1.45em;margin-top:1.5em}h3{font-size:1.12em}',
			'h1{font-size:1.6em;border-bottom:2px solid #333}h2{font-size:1.25em;color:#036}h3{font-size:1em;color:#036}',
			'h1{font-size:2.6em;text-align:right}h2{font-size:1.7em;font-weight:normal}h3{font-size:1.3em;font-weight:normal}',
		],
		text: [
			'p{text-align:justify;hyphens:auto;margin:.3em 0}',
			'p{text-align:left;text-indent:2em;margin:0}',
			'p{text-align:justify;margin:1.1em 0}',
		],
		gaps: [1.5, 2, 2.8],
		pages: ['size:A5;margin:1.4cm', 'size:A4;margin:3cm 2cm 2cm 3cm', 'size:legal;margin:2.5cm'],
		code: ['background:#222;color:#eee;padding:8px', 'border:1px dashed #666;padding:5px', 'margin:.8em 1em'],
		rtl: ['Noto Naskh Arabic, Noto Serif Hebrew', 'Noto Kufi Arabic, Noto Rashi Hebrew'],
	},
	fourth: {
		fonts: ['Carlito', 'Caladea', 'Roboto', 'EB Garamond', 'Lato'],
		sizes: [8.8, 10.2, 11.3, 13],
		leadings: [1.15, 1.28, 1.43, 1.7],
		tables: [
			'table{border-collapse:collapse;width:100%}td,th{border:1.2px solid #357;padding:6px 9px;text-align:right}td:first-child,th:first-child{text-align:left}',
			'table{border-collapse:collapse}th{border-top:1px solid #000;border-bottom:1px solid #000}tr:last-child td{border-bottom:1px solid #000}td,th{padding:2px 14px 2px 2px;text-align:left;vertical-align:top}',
			'td,th{padding:5px 20px 5px 0;text-align:left}th{font-weight:normal;text-decoration:underline}',
			'table{border-collapse:collapse;width:90%}th{background:#c8d8c8}td{background:#f6faf6}td,th{border:2px solid #fff;padding:4px 8px;text-align:left}',
			'table{border:3px double #222}td,th{border:1px solid #aaa;padding:3px 12px;text-align:center}',
			'table{border-collapse:collapse}td,th{border-left:1px solid #888;padding:4px 10px;text-align:left}td:first-child,th:first-child{border-left:0}th{border-bottom:1px solid #888}',
			'td,th{padding:3px 10px;text-align:right}td:first-child,th:first-child{text-align:left}th{border-bottom:.8px solid #444}',
		],
		headings: [
			'h1{font-size:1.75em;color:#135}h2{font-size:1.35em;text-align:center}h3{font-size:1.1em;font-style:italic;font-weight:normal}',
			'h1{font-size:2.3em;letter-spacing:.02em}h2{font-size:1.5em;background:#246;color:#fff;padding:2px 6px}h3{font-size:1.2em;color:#246}',
			'h1{font-size:1.5em}h2{font-size:1.22em;margin:.7em 0 .2em}h3{font-size:1.02em;margin:.6em 0 .1em}',
			'h1{font-size:3em;font-weight:300}h2{font-size:1.9em;font-weight:300}h3{font-size:1.4em;font-weight:300}',
		],
		text: [
			'p{text-align:justify;hyphens:auto;margin:.6em 0;widows:2}',
			'p{text-align:left;margin:.4em 0}',
			'p{text-align:justify;hyphens:auto;text-indent:1.2em;margin:0}',
			'p{text-align:left;margin:1.3em 0 1.3em .5em}',
		],
		gaps: [1.1, 1.7, 2.4],
		pages: [
			'size:7in 10in;margin:1.9cm',
			'size:210mm 260mm;margin:2cm 2.6cm',
			'size:A4;margin:1.5cm 4cm 2.5cm 2cm',
			'size:letter;margin:1in',
		],
		code: [
			'background:#f8f4e8;border:1px solid #e0d8c0;padding:6px',
			'border-top:1px solid #999;border-bottom:1px solid #999;padding:4px 0',
			'padding-left:3em;color:#333',
		],
		rtl: ['Amiri, Frank Ruehl CLM', 'Noto Sans Arabic, David CLM'],
	},
	reporting: {
		fonts: ['Noto Serif', 'DejaVu Sans Condensed', 'Carlito', 'Nimbus Roman', 'Lato'],
		sizes: [9.2, 10.6, 11.8],
		leadings: [1.22, 1.33, 1.55],
		tables: [
			'table{border-collapse:collapse;width:95%}td,th{padding:3px 7px;text-align:left;border-bottom:.5px solid #777}thead th{border-bottom:1.6px solid #000;border-top:1.6px solid #000}',
			'table{border-collapse:collapse}td,th{padding:2px 9px;text-align:left;vertical-align:top}thead th{border-bottom:.6px solid #000}',
			'table{border-collapse:separate;border-spacing:4px 2px}td,th{padding:2px 6px;text-align:left}th{background:#dde}',
			'table{border-collapse:collapse;width:100%}td,th{padding:4px 6px;text-align:center}tr{border-top:1px solid #999;border-bottom:1px solid #999}',
			'table{border:1px solid #444;border-collapse:collapse}td,th{border:1px dotted #666;padding:3px 6px;text-align:right}th{text-align:center}',
			'table{border-collapse:collapse}td,th{padding:1px 22px 1px 0;text-align:left;vertical-align:bottom}th{font-variant:small-caps}',
		],
		headings: [
			'h1{font-size:2em}h2{font-size:1.42em;font-style:italic}h3{font-size:1.14em}',
			'h1{font-size:1.85em;text-align:center}h2{font-size:1.38em;border-left:4px solid #369;padding-left:6px}h3{font-size:1.15em;color:#444}',
			'h1{font-size:2.5em}h2{font-size:1.65em;font-weight:500}h3{font-size:1.25em;font-weight:500}',
		],
		text: [
			'p{text-align:justify;hyphens:auto;margin:.7em 0}',
			'p{text-align:left;text-indent:1.5em;margin:0}',
			'p{text-align:left;margin:.8em 0}',
		],
		gaps: [1.3, 1.8, 2.6],
		pages: ['size:A4;margin:2.2cm 2cm', 'size:letter;margin:1.8cm 2.4cm', 'size:A5;margin:1.2cm'],
		code: ['background:#eee;padding:5px', 'border-left:2px solid #555;padding-left:8px', 'margin:0 0 0 2em'],
		rtl: ['Noto Naskh Arabic, Frank Ruehl CLM', 'DejaVu Sans'],
	},
};

const fontOf = (kind: KnownKind, random: Random, { fonts, rtl }: Looks): string => {
	const font = random.pick(fonts);
	const style = fonts.includes('Lato') ? 'Serif' : 'Sans';
	if (kind === 'cjk') return ['SC', 'JP', 'KR'].map((region) => `Noto ${style} CJK ${region}`).join(', ');
	return kind === 'rtl' ? rtl[fonts.indexOf(font) % rtl.length]! : font;
};

/** Of the document that LibreOffice opens: font, size and page, in points. */
export function officeLook(
	seed: number,
	set: KnownSet,
): {
	font: string;
	size: number;
	width: number;
	height: number;
	margin: number;
} {
	const random = new Random(seed * 19 + 3);
	const { fonts, sizes } = looks[set];
	const [width, height] = random.pick([
		[612, 792],
		[595, 842],
		[499, 709],
		[504, 720],
	] as const);
	return { font: random.pick(fonts), size: random.pick(sizes), width, height, margin: random.pick([50, 64, 85]) };
}

/** How a document looks depends on its set and its seed: fonts, lines of tables, columns, margins. */
export function styleSheet(kind: KnownKind, seed: number, set: KnownSet): string {
	const random = new Random(seed * 17 + 5);
	const look = looks[set];
	const parts = [
		`@page{${random.pick(look.pages)}}`,
		`body{font:${random.pick(look.sizes)}pt ${fontOf(kind, random, look)};line-height:${random.pick(look.leadings)};margin:0}`,
		random.pick(look.headings),
		random.pick(look.text),
		random.pick(look.tables),
		'table{margin:1em 0}pre,code{font-family:"DejaVu Sans Mono",monospace;font-size:.9em}',
		`pre{${random.pick(look.code)}}`,
		'.note{float:footnote;font-size:.8em}.end{font-size:.85em;text-indent:0}',
	];
	if (kind === 'columns') parts.push(`.body{columns:2;column-gap:${random.pick(look.gaps)}em}h1{text-align:center}`);
	// Narrow justified lines break many words.
	if (kind === 'hyphens') parts.push('body{max-width:11cm}p,li{text-align:justify;hyphens:auto}');
	return parts.join('');
}
