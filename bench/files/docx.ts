import {
	AlignmentType,
	Document,
	ExternalHyperlink,
	Footer,
	FootnoteReferenceRun,
	HeadingLevel,
	ImageRun,
	LevelFormat,
	Packer,
	PageNumber,
	Paragraph,
	type ParagraphChild,
	SectionType,
	Table,
	TableCell,
	TableRow,
	TextRun,
	WidthType,
} from 'docx';
import type { Known, KnownBlock, Piece } from './known.ts';
import { officeLook } from './styles.ts';
import { picture } from './write.ts';

const levels = { 1: HeadingLevel.HEADING_1, 2: HeadingLevel.HEADING_2, 3: HeadingLevel.HEADING_3 } as const;

/** A known document by the `docx` package: what programs write, rather than people. */
export async function writeDocx(known: Known): Promise<Buffer> {
	const [title, ...rest] = known.blocks;
	const columns = known.kind === 'columns' ? { column: { count: 2, space: 500 } } : {};
	const look = known.set === 'fourth' || known.set === 'reporting' ? officeLook(known.seed, known.set) : undefined;
	const document = new Document({
		title: known.title,
		creator: known.author,
		...(look !== undefined && { styles: stylesOf(look, known) }),
		numbering: {
			config: [
				{
					reference: 'numbers',
					levels: [
						{
							level: 0,
							format: LevelFormat.DECIMAL,
							text: '%1.',
							alignment: AlignmentType.START,
							style: { paragraph: { indent: { left: 720, hanging: 360 } } },
						},
					],
				},
			],
		},
		footnotes: Object.fromEntries(known.notes.map((note, at) => [at + 1, { children: [new Paragraph(note)] }])),
		sections: [
			{
				...(look !== undefined && { properties: { page: pageOf(look) } }),
				children: title === undefined ? [] : blockOf(title, known, 0),
			},
			{
				properties: { type: SectionType.CONTINUOUS, ...columns, ...(look !== undefined && { page: pageOf(look) }) },
				...(look !== undefined && { footers: { default: footerOf(known) } }),
				children: rest.flatMap((block, at) => blockOf(block, known, at + 1)),
			},
		],
	});
	return Packer.toBuffer(document);
}

type Look = ReturnType<typeof officeLook>;

/** Twentieths of a point. */
const pageOf = ({ width, height, margin }: Look) => ({
	size: { width: width * 20, height: height * 20 },
	margin: { left: margin * 20, right: margin * 20 },
});

const footerOf = ({ author }: Known): Footer =>
	new Footer({
		children: [new Paragraph({ children: [new TextRun({ children: [author, ', ', PageNumber.CURRENT] })] })],
	});

/** Half points; Chinese, Arabic and Hebrew keep the fonts that have them. */
function stylesOf(
	{ font, size }: Look,
	{ kind }: Known,
): NonNullable<ConstructorParameters<typeof Document>[0]['styles']> {
	const name = /cjk|rtl/.test(kind) ? {} : { font };
	const heading = (by: number, bold: boolean) => ({ run: { ...name, size: Math.round(size * by * 2), bold } });
	return {
		default: {
			document: { run: { ...name, size: Math.round(size * 2) } },
			heading1: heading(1.9, true),
			heading2: heading(1.4, true),
			heading3: heading(1.15, true),
		},
	};
}

function runs(content: readonly Piece[], known: Known): ParagraphChild[] {
	const rtl = known.kind === 'rtl';
	return content.map((piece) => {
		if (!('text' in piece)) return new FootnoteReferenceRun(piece.note);
		const text = piece.text.replace('\u200b', '');
		if (piece.url !== undefined)
			return new ExternalHyperlink({
				link: piece.url,
				children: [new TextRun({ text, style: 'Hyperlink', rightToLeft: rtl })],
			});
		return new TextRun({ text, bold: piece.mark === 'strong', italics: piece.mark === 'em', rightToLeft: rtl });
	});
}

function blockOf(block: KnownBlock, known: Known, at: number): (Paragraph | Table)[] {
	const bidirectional = known.kind === 'rtl';
	switch (block.kind) {
		case 'heading':
			return [
				new Paragraph({
					heading: levels[block.level as 1 | 2 | 3],
					bidirectional,
					children: runs([{ text: block.text }], known),
				}),
			];
		case 'paragraph':
			return [new Paragraph({ bidirectional, children: runs(block.content, known), spacing: { after: 160 } })];
		case 'quote':
			return [
				new Paragraph({
					style: 'Quote',
					indent: { left: 500 },
					children: runs(block.content, known),
					spacing: { after: 160 },
				}),
			];
		case 'code':
			return block.text
				.split('\n')
				.map((line) => new Paragraph({ children: [new TextRun({ text: line, font: 'Liberation Mono', size: 20 })] }));
		case 'image':
			return [
				new Paragraph({
					children: [
						new ImageRun({
							type: 'png',
							data: Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64'),
							transformation: { width: 120, height: 60 },
							altText: { name: 'picture', description: block.alt, title: '' },
						}),
					],
				}),
			];
		case 'list':
			return block.items.flatMap(({ content, inner }) => [
				new Paragraph({
					bidirectional,
					...(block.ordered
						? { numbering: { reference: 'numbers', level: 0, instance: at } }
						: { bullet: { level: 0 } }),
					children: runs(content, known),
				}),
				...inner.map(
					(text) => new Paragraph({ bidirectional, bullet: { level: 1 }, children: runs([{ text }], known) }),
				),
			]);
		case 'table':
			return [
				new Table({
					width: { size: 100, type: WidthType.PERCENTAGE },
					visuallyRightToLeft: bidirectional,
					rows: block.rows.map(
						(row, place) =>
							new TableRow({
								tableHeader: place === 0,
								children: row.map(
									(text) =>
										new TableCell({
											children: [
												new Paragraph({
													bidirectional,
													children: [new TextRun({ text, bold: place === 0, rightToLeft: bidirectional })],
												}),
											],
										}),
								),
							}),
					),
				}),
				new Paragraph(''),
			];
	}
}
